/**
 * The election's shell: the Kafka clients, their threads and the clocks. Turns what happens there into inputs for
 * {@link io.neli.protocol.Election} and carries out what that decides; decides nothing itself.
 */
@NullMarked
package io.neli.kafka;

import org.jspecify.annotations.NullMarked;
