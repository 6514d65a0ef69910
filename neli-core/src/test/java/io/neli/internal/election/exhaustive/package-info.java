/**
 * Every course of events in small worlds, over the real election: no seed, no sampling, within bounds that are stated.
 */
@NullMarked
package io.neli.internal.election.exhaustive;

import org.jspecify.annotations.NullMarked;
