package io.neli.internal.election.simulation;

import java.util.Map;
import java.util.TreeMap;

import io.neli.LeaderEvent.FenceReason;
import io.neli.internal.election.Violation;

/** What happened in one schedule, or in many. */
final class Tally {

    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Double> worst = new TreeMap<>();

    void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    long of(String what) {
        return counts.getOrDefault(what, 0L);
    }

    long fences() {
        long fences = 0;
        for (FenceReason reason : FenceReason.values()) {
            fences += of("fenced: " + reason);
        }
        return fences;
    }

    /** Something that has a bound: its measure, and its share of the bound. */
    void measured(String what, double value, double bound) {
        if (value > bound) {
            throw new Violation("%s: %.2f, at most %.2f".formatted(what, value, bound));
        }
        worst.merge(what, value, Math::max);
        worst.merge(what + ", of its bound", value / bound, Math::max);
    }

    void add(Tally other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
        other.worst.forEach((what, value) -> worst.merge(what, value, Math::max));
    }

    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        counts.forEach((what, count) -> lines.append("  %-48s %d%n".formatted(what, count)));
        worst.forEach((what, value) -> lines.append("  at most: %-39s %.2f%n".formatted(what, value)));
        return lines.toString();
    }
}
