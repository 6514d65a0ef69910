package io.neli.cluster;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import io.neli.cluster.Line.Kind;

/** The lines of all processes of a group, in the order of arrival. Thread-safe. */
public final class Timeline {

    /** Kinds with too many lines to search repeatedly. */
    private static final Set<Kind> FREQUENT =
            EnumSet.of(Kind.STILL_LEADS, Kind.BUMP, Kind.BUMPED, Kind.NOT_BUMPED, Kind.WROTE);

    private final List<Line> all = new ArrayList<>();
    private final List<Line> notable = new ArrayList<>();

    public synchronized void add(Line line) {
        all.add(line);
        if (!FREQUENT.contains(line.kind())) {
            notable.add(line);
        }
    }

    public synchronized List<Line> all() {
        return List.copyOf(all);
    }

    public synchronized List<Line> notable() {
        return List.copyOf(notable);
    }

    public synchronized Optional<Line> first(Predicate<Line> condition) {
        return notable.stream().filter(condition).findFirst();
    }

    public synchronized Optional<Line> last(Predicate<Line> condition) {
        for (int i = notable.size() - 1; i >= 0; i--) {
            if (condition.test(notable.get(i))) {
                return Optional.of(notable.get(i));
            }
        }
        return Optional.empty();
    }
}
