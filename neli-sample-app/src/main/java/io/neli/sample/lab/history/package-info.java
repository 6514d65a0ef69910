/**
 * What has happened in the lab, and what it means: a fold over {@link io.neli.sample.lab.history.Observation observations}.
 * No clock, no thread, no input or output; the bounds on what is kept are in {@link io.neli.sample.lab.history.History}.
 * Times are milliseconds on the lab's own clock, which stamped every observation, so they can be compared with each other.
 */
@NullMarked
package io.neli.sample.lab.history;

import org.jspecify.annotations.NullMarked;
