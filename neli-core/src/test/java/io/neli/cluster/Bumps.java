package io.neli.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.neli.cluster.Line.Kind;

/**
 * Checks a counter that every leader incremented without a lock: read, add one, write. Two leaders at the same time
 * would lose an increment.
 *
 * <p>A killed process may have written a number without reporting it. It reported the number before the write, and the
 * number that the next process read shows whether it was written. So one number per killed process may be missing from
 * the list, but the sum is still exact. A process that is stopped in the microseconds between the check of its lease
 * and the write, writes late when it continues: no election can prevent that without a token in the store. The process
 * notices and reports this. From there on the list proves nothing, and the check ends.
 */
public final class Bumps {

    private final List<Line> written;
    private final Set<Long> perhapsWritten = new HashSet<>();

    private Bumps(List<Line> lines) {
        this.written = lines.stream()
                .filter(line -> line.kind() == Kind.BUMPED)
                .sorted(Comparator.comparingLong(Line::nanos))
                .toList();
        lines.stream().map(Line::process).distinct().forEach(process -> {
            List<Line> own = lines.stream()
                    .filter(line -> line.process().equals(process))
                    .toList();
            lastUnanswered(own).ifPresent(line -> perhapsWritten.add(line.number("value")));
        });
    }

    /** What a process was about to write when it was killed. */
    private static Optional<Line> lastUnanswered(List<Line> lines) {
        Line asked = null;
        for (Line line : lines) {
            switch (line.kind()) {
                case BUMP -> asked = line;
                case BUMPED, NOT_BUMPED -> asked = null;
                default -> {}
            }
        }
        return Optional.ofNullable(asked);
    }

    /** All violations of the counter. */
    public static List<String> violations(List<Line> lines, long counter) {
        return new Bumps(lines).check(counter);
    }

    private List<String> check(long counter) {
        List<String> violations = new ArrayList<>();
        long value = 0;
        long unsaid = 0;
        for (Line bump : written) {
            if (bump.flag("late")) {
                return violations;
            }
            long next = bump.number("value");
            if (next == value + 2 && perhapsWritten.contains(value + 1)) {
                unsaid++;
            } else if (next != value + 1) {
                violations.add("After " + value + " came " + next + ": an increment was lost\n    " + bump);
            }
            value = next;
        }
        if (counter == value + 1 && perhapsWritten.contains(counter)) {
            unsaid++;
            value = counter;
        }
        if (counter != value || counter != written.size() + unsaid) {
            violations.add("The counter is " + counter + " after " + written.size() + " increments and " + unsaid
                    + " by processes that were killed before they could say so");
        }
        return violations;
    }
}
