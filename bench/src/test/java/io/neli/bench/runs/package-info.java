/**
 * Measures scheduled work while leaders are killed, frozen, cut off and stopped: which runs are missed and repeated,
 * compared with a lock library.
 */
@NullMarked
package io.neli.bench.runs;

import org.jspecify.annotations.NullMarked;
