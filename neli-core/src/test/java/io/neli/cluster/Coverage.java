package io.neli.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Computes how many members lead at the same time, if more than one may. All spans belong to one role. */
public final class Coverage {

    private final List<Leading> spans;

    Coverage(List<Leading> spans) {
        this.spans = List.copyOf(spans);
    }

    /** The spans of all processes in these lines. */
    public static List<Leading> spans(String role, List<Line> lines) {
        List<Leading> spans = new ArrayList<>();
        History.about(role, lines).stream()
                .collect(Collectors.groupingBy(Line::process))
                .forEach((process, its) -> spans.addAll(Leading.of(process, its)));
        return spans;
    }

    /** The longest time within the bounds with fewer leaders than this, as far as they were asked. */
    long longestWithFewerThan(int leaders, long from, long to) {
        long[] changes = Stream.of(
                        LongStream.of(from, to),
                        spans.stream().mapToLong(Leading::from),
                        spans.stream().mapToLong(Leading::to))
                .flatMapToLong(instants -> instants)
                .filter(instant -> instant >= from && instant <= to)
                .sorted()
                .distinct()
                .toArray();
        long longest = 0;
        long since = from;
        for (int i = 0; i + 1 < changes.length; i++) {
            long middle = changes[i] + (changes[i + 1] - changes[i]) / 2;
            if (leadersAt(middle) >= leaders) {
                since = changes[i + 1];
            }
            longest = Math.max(longest, changes[i + 1] - since);
        }
        return longest;
    }

    private long leadersAt(long instant) {
        return spans.stream()
                .filter(span -> span.from() <= instant && instant <= span.to())
                .count();
    }

    /** The longest time in which two processes led at the same time. */
    long longestOverlap() {
        long longest = 0;
        for (Leading one : spans) {
            for (Leading other : spans) {
                if (!one.process().equals(other.process()) && one.overlaps(other)) {
                    longest = Math.max(longest, Math.min(one.to(), other.to()) - Math.max(one.from(), other.from()));
                }
            }
        }
        return longest;
    }
}
