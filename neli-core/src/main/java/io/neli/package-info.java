/** Leader election over a Kafka topic: the API for applications. Start at {@link io.neli.Neli}. */
@NullMarked
package io.neli;

import org.jspecify.annotations.NullMarked;
