package io.neli.internal.runs;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What is known about a job: its newest due time, and how far the run for that time has come.
 *
 * @param due that time; if no run was due yet, when the group first saw this schedule of the job
 * @param begun when the run was last begun, by the clock of the member that began it; null if it was not
 * @param ended when it ended; null if it is not known to have
 * @param succeeded whether it ended without an exception
 * @param schedule the schedule that the due time belongs to
 * @param member the name of the member that did what is recorded
 * @param token the token of that member's term
 */
public record RunRecord(
        String job,
        Instant due,
        @Nullable Instant begun,
        @Nullable Instant ended,
        boolean succeeded,
        String schedule,
        String member,
        long token) {

    enum Phase {
        SINCE,
        BEGUN,
        ENDED
    }

    Phase phase() {
        if (ended != null) {
            return Phase.ENDED;
        }
        return begun == null ? Phase.SINCE : Phase.BEGUN;
    }

    /**
     * The record with the newest due time, and among those the furthest phase, in whatever order records were written.
     * A late BEGUN of a former leader says nothing new, and a late ENDED is true. Tokens only decide between equals,
     * except that a SINCE was late, or was considered already, if a later term has written a record.
     */
    static Optional<RunRecord> newest(Map<RunKey, RunRecord> records) {
        long latest = records.keySet().stream().mapToLong(RunKey::token).max().orElse(0);
        return records.entrySet().stream()
                .filter(entry -> entry.getValue().phase() != Phase.SINCE
                        || entry.getKey().token() == latest)
                .map(Map.Entry::getValue)
                .max(Comparator.comparing(RunRecord::due)
                        .thenComparing(RunRecord::phase)
                        .thenComparingLong(RunRecord::token));
    }

    RunRecord ended(Instant now, boolean well) {
        return new RunRecord(job, due, begun, now, well, schedule, member, token);
    }
}
