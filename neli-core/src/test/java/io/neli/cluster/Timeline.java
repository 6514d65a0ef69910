package io.neli.cluster;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import io.neli.cluster.Line.Kind;

/** The lines of all processes of a group as they come in. Thread-safe. */
final class Timeline {

    /** Too many to look through again and again. */
    private static final Set<Kind> FREQUENT = EnumSet.of(Kind.STILL_LEADS, Kind.BUMP, Kind.BUMPED, Kind.NOT_BUMPED);

    private final List<Line> all = new ArrayList<>();
    private final List<Line> notable = new ArrayList<>();

    synchronized void add(Line line) {
        all.add(line);
        if (!FREQUENT.contains(line.kind())) {
            notable.add(line);
        }
    }

    synchronized List<Line> all() {
        return List.copyOf(all);
    }

    synchronized List<Line> notable() {
        return List.copyOf(notable);
    }

    synchronized Optional<Line> first(Predicate<Line> condition) {
        return notable.stream().filter(condition).findFirst();
    }

    synchronized Optional<Line> last(Predicate<Line> condition) {
        for (int i = notable.size() - 1; i >= 0; i--) {
            if (condition.test(notable.get(i))) {
                return Optional.of(notable.get(i));
            }
        }
        return Optional.empty();
    }
}
