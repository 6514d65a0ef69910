/**
 * When jobs are due and what is recorded about their runs: rules without clock, thread or I/O, and the store of the
 * records.
 */
@NullMarked
package io.neli.internal.runs;

import org.jspecify.annotations.NullMarked;
