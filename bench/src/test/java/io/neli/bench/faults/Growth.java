package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.neli.cluster.Line;

/** Compares what processes hold at the end with what they held when they were first seen at rest. */
final class Growth {

    private static final long MOST_THREADS = 4;
    private static final long MOST_DESCRIPTORS = 16;
    private static final long MOST_HEAP = 8 << 20;

    private final Map<String, Line> first = new TreeMap<>();
    private final Map<String, Line> last = new TreeMap<>();

    /** Adds one measurement of the processes that run. */
    void add(Map<String, Line> usage) {
        usage.forEach((process, line) -> {
            first.putIfAbsent(process, line);
            last.put(process, line);
        });
    }

    List<String> violations() {
        List<String> violations = new ArrayList<>();
        last.forEach((process, line) -> {
            check(violations, line, "threads", MOST_THREADS);
            check(violations, line, "descriptors", MOST_DESCRIPTORS);
            check(violations, line, "heap", MOST_HEAP);
        });
        return violations;
    }

    private void check(List<String> violations, Line now, String what, long most) {
        Line before = first.get(now.process());
        if (now.number(what) > before.number(what) + most) {
            violations.add("More " + what + " than at first\n    " + before + "\n    " + now);
        }
    }

    /** The largest growth of any process. */
    long most(String what) {
        return last.values().stream()
                .mapToLong(line -> line.number(what) - first.get(line.process()).number(what))
                .max()
                .orElse(0);
    }
}
