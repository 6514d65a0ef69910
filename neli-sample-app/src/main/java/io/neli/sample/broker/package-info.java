/**
 * A Kafka broker for the sample, so that it runs with nothing installed but a JDK. Not something that an application of
 * yours needs: where {@code spring.kafka.bootstrap-servers} is set, nothing in here does anything.
 *
 * <p>The broker is a process of its own, shared by all instances of one user and gone with the last of them. Everything
 * that they agree upon is a lock on a file in {@link io.neli.sample.broker.BrokerDirectory one directory}: the kernel
 * releases a lock when its process dies, in whatever way, so there is nothing to clean up after a crash.
 *
 * <ul>
 *   <li>{@code users.lock}: shared, held by each instance for as long as it lives; the broker that gets it exclusively has
 *       no users any more, and ends.
 *   <li>{@code broker.lock}: held by the broker for as long as it lives.
 *   <li>{@code start.lock}: held by the instance that looks for the broker and starts one if there is none.
 * </ul>
 */
@NullMarked
package io.neli.sample.broker;

import org.jspecify.annotations.NullMarked;
