package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.neli.cluster.Coverage;
import io.neli.cluster.Leading;
import io.neli.cluster.Line;

/** Times without a leader. */
final class Failovers {

    private Failovers() {}

    /** One time in milliseconds for each leader that followed a leader which led after {@code nanos}. */
    static List<Double> after(long nanos, String role, List<Line> lines) {
        List<Leading> spans = new ArrayList<>(Coverage.spans(role, lines));
        spans.sort(Comparator.comparingLong(Leading::from));
        List<Double> gaps = new ArrayList<>();
        long last = 0;
        long token = 0;
        for (Leading span : spans) {
            if (last > nanos && span.token() != token) {
                gaps.add(Math.max(0, span.from() - last) / 1e6);
            }
            last = Math.max(last, span.to());
            token = span.token();
        }
        return gaps;
    }
}
