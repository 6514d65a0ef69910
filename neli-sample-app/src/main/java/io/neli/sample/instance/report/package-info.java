/**
 * What an instance tells the failover lab that has started it, line by line on its standard output, and hears from it on its
 * standard input. Only with {@code lab.reports=true}: no part of the example.
 */
@NullMarked
package io.neli.sample.instance.report;

import org.jspecify.annotations.NullMarked;
