/**
 * The election's shell: the Kafka clients, their threads and the clocks. Turns what happens there into inputs for
 * {@link io.neli.internal.election.Election} and carries out what that decides; decides nothing itself.
 */
@NullMarked
package io.neli.internal.kafka;

import org.jspecify.annotations.NullMarked;
