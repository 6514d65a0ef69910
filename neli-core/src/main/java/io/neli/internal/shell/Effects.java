package io.neli.internal.shell;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.internal.election.Term;

/**
 * Receives the actions that do not write to the log.
 *
 * @param events receives each change of this member's leadership of a partition; must return immediately
 * @param leaders receives each known change of the term in which any member leads a partition; must return immediately
 */
public record Effects(
        Consumer<LeaderEvent> events,
        BiConsumer<Integer, Optional<Term>> leaders,
        MetricsReporter metrics,
        Problems problems) {}
