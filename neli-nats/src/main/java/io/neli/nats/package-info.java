/** Keeps the logs of a group on a NATS JetStream stream instead of Kafka. */
@NullMarked
package io.neli.nats;

import org.jspecify.annotations.NullMarked;
