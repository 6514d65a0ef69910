package io.neli.internal.shell;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.NeliMetrics;
import io.neli.internal.election.Term;

/**
 * Where the actions go that are not for the log.
 *
 * @param events receives each change of a partition's leadership; must return at once
 * @param leaders receives each change of the term in which a partition is led by any member, as far as it is known;
 *     must return at once
 * @param metrics must return at once and never throw
 * @param rejoin asks the group to assign the partitions again
 */
public record Effects(
        Consumer<LeaderEvent> events,
        BiConsumer<Integer, Optional<Term>> leaders,
        NeliMetrics metrics,
        Runnable rejoin,
        IgnoredRecords ignored,
        Problems problems) {}
