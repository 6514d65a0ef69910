/**
 * Scheduled work while leaders are killed, frozen, cut off and stopped: what is missed and repeated, beside a lock
 * library.
 */
@NullMarked
package io.neli.bench.runs;

import org.jspecify.annotations.NullMarked;
