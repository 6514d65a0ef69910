/**
 * The runtime around the rules, for any kind of log: threads, clocks, reconnects, problems. Turns what happens into
 * inputs for {@link io.neli.internal.election.Election} and carries out its decisions; decides nothing itself.
 */
@NullMarked
package io.neli.internal.shell;

import org.jspecify.annotations.NullMarked;
