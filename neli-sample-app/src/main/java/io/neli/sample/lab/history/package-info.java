/**
 * What has happened in the lab: a fold over {@link io.neli.sample.lab.history.Observation observations}, without clock,
 * thread, input or output. Times are milliseconds on the lab's one clock, so they can be compared with each other.
 */
@NullMarked
package io.neli.sample.lab.history;

import org.jspecify.annotations.NullMarked;
