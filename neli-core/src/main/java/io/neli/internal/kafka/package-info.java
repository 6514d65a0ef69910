/**
 * The logs and the group of an election on Kafka: the clients, their threads, and their failures. Decides nothing about
 * leadership.
 */
@NullMarked
package io.neli.internal.kafka;

import org.jspecify.annotations.NullMarked;
