package io.neli.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How long it took from the end of a leader to the next one. Printed for people; no verdict hangs on it. */
final class Takeovers {

    private final String group;
    private final Duration lease;
    private final Map<String, List<Long>> nanosByKind = new TreeMap<>();

    Takeovers(String group, Duration lease) {
        this.group = group;
        this.lease = lease;
    }

    void add(String kind, long fromNanos, Line acquired) {
        long nanos = acquired.nanos() - fromNanos;
        nanosByKind.computeIfAbsent(kind, key -> new ArrayList<>()).add(nanos);
        System.out.printf("%s: %s: %s leads after %s%n", group, kind, acquired.process(), describe(nanos));
    }

    private String describe(long nanos) {
        return String.format("%,.1f ms (%.2f leases)", nanos / 1e6, (double) nanos / lease.toNanos());
    }

    void print() {
        nanosByKind.forEach((kind, all) -> {
            List<Long> sorted = new ArrayList<>(all);
            Collections.sort(sorted);
            System.out.printf(
                    "%s: %s: %d times, median %s, at most %s%n",
                    group,
                    kind,
                    sorted.size(),
                    describe(sorted.get((sorted.size() - 1) / 2)),
                    describe(sorted.get(sorted.size() - 1)));
        });
    }
}
