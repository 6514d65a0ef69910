/**
 * A seeded simulation of the real election: members, logs and a consumer group in virtual time, with everything that
 * may go wrong. A seed replays exactly.
 */
@NullMarked
package io.neli.internal.election.simulation;

import org.jspecify.annotations.NullMarked;
