package io.neli.internal.shell;

import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.NeliMetrics;

/**
 * Where the actions go that are not for the log.
 *
 * @param events receives each change of a partition's leadership; must return at once
 * @param leaders receives each change of who is known to lead
 * @param metrics must return at once and never throw
 * @param rejoin asks the group to assign the partitions again
 */
public record Effects(
        Consumer<LeaderEvent> events,
        KnownLeaders.Report leaders,
        NeliMetrics metrics,
        Runnable rejoin,
        IgnoredRecords ignored,
        Problems problems) {}
