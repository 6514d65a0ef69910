package io.neli.cluster;

import java.util.ArrayList;
import java.util.List;

import io.neli.cluster.Line.Kind;

/**
 * A span during which a process answered true to {@code isLeader()} in one term. It is never longer than the truth: it
 * begins when the first true answer arrived, and ends when the question with the last true answer was asked. So even a
 * process that is stopped in the middle of a sample causes no false alarm.
 *
 * @param token 0 if the term was over before its token could be asked for
 */
public record Leading(String process, long token, long from, long to) {

    /** The spans of one process, in order. */
    public static List<Leading> of(String process, List<Line> lines) {
        List<Leading> spans = new ArrayList<>();
        Line first = null;
        long last = 0;
        for (Line line : lines) {
            if (line.kind() == Kind.LEADS) {
                first = line;
                last = line.nanos();
            } else if (line.kind() == Kind.STILL_LEADS) {
                last = line.nanos();
            } else if (line.kind() == Kind.LEADS_NOT && first != null) {
                spans.add(new Leading(process, first.number("token"), first.nanos(), line.number("last")));
                first = null;
            }
        }
        if (first != null) { // killed: only its last line is known
            spans.add(new Leading(process, first.number("token"), first.nanos(), last));
        }
        return spans;
    }

    public boolean overlaps(Leading other) {
        return from <= other.to && other.from <= to;
    }
}
