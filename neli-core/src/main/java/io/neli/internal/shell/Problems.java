package io.neli.internal.shell;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member's current problems, at most one per source. Logs each when it appears and when it is gone. Thread-safe. */
public final class Problems {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** Where problems come from, the most serious first. */
    public enum Source {
        LOG,
        ALL_PARTITIONS,
        PARTITION,
        WIDTH,
        CONFLICT,
        LEASE,
        GROUP,
        LOGS,
        TWINS,
        COPIES,
        RUNS,
        JOB
    }

    private final String groupId;
    private final Map<Source, Problem> current = new EnumMap<>(Source.class);

    public Problems(String groupId) {
        this.groupId = groupId;
    }

    public synchronized void report(Source source, Problem problem) {
        if (!problem.equals(current.put(source, problem))) {
            log.warn("Group {}: {}", groupId, problem.text());
        }
    }

    /** Like {@link #report}, unless there is a problem already: other wordings of one cause are one problem. */
    public synchronized void reportFirst(Source source, Problem problem) {
        if (!current.containsKey(source)) {
            report(source, problem);
        }
    }

    /** Like {@link #report}; null if there is no problem any more. */
    public void reportOrClear(Source source, @Nullable Problem problem) {
        if (problem == null) {
            clear(source);
        } else {
            report(source, problem);
        }
    }

    public synchronized Optional<Problem> of(Source source) {
        return Optional.ofNullable(current.get(source));
    }

    /** What keeps the member from using the logs. */
    public synchronized Optional<Problem> ofLogs() {
        return of(Source.LOG).or(() -> of(Source.ALL_PARTITIONS));
    }

    public synchronized void clear(Source source) {
        Problem gone = current.remove(source);
        if (gone != null) {
            log.info("Group {}: resolved: {}", groupId, gone.what());
        }
    }

    public synchronized Optional<Problem> mostSerious() {
        return current.values().stream().findFirst();
    }
}
