/** Writing to Kafka so that only the leader's records land. */
@NullMarked
package io.neli.spring.kafka;

import org.jspecify.annotations.NullMarked;
