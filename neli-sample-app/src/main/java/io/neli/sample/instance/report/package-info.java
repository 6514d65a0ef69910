/**
 * Connects an instance to the failover lab that started it: reports on its standard output, commands on its standard
 * input. Active with {@code lab.reports=true} only; not part of the example.
 */
@NullMarked
package io.neli.sample.instance.report;

import org.jspecify.annotations.NullMarked;
