/** Tries every course of events in small worlds with the real election: no seed, no sampling, within stated bounds. */
@NullMarked
package io.neli.internal.election.exhaustive;

import org.jspecify.annotations.NullMarked;
