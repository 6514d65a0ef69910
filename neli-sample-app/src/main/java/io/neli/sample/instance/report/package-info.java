/**
 * The connection of an instance with the failover lab that has started it: reports on its standard output, commands on
 * its standard input. Only with {@code lab.reports=true}; not part of the example.
 */
@NullMarked
package io.neli.sample.instance.report;

import org.jspecify.annotations.NullMarked;
