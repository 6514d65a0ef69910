/**
 * The election's shell, whatever its log is: threads, clocks, and what is wrong. Turns what happens there into inputs
 * for {@link io.neli.internal.election.Election} and carries out what that decides; decides nothing itself.
 */
@NullMarked
package io.neli.internal.shell;

import org.jspecify.annotations.NullMarked;
