/**
 * Derives what has happened in the lab: a fold over {@link io.neli.sample.lab.history.Observation observations} that
 * uses no clock, thread, input or output. Times are milliseconds on the lab's one clock, so they can be compared.
 */
@NullMarked
package io.neli.sample.lab.history;

import org.jspecify.annotations.NullMarked;
