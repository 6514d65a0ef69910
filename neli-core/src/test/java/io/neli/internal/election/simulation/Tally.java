package io.neli.internal.election.simulation;

import java.util.HashMap;
import java.util.Map;

import io.neli.internal.election.Violation;

/** What happened in one schedule, or in many. */
final class Tally {

    private final Map<String, Long> counts = new HashMap<>();

    void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    long of(String what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Requires that a value is within its bound. */
    void measured(String what, double value, double bound) {
        if (value > bound) {
            throw new Violation("%s: %.2f, at most %.2f".formatted(what, value, bound));
        }
    }

    void add(Tally other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }
}
