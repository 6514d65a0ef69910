package io.neli.internal.runs;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a job: its newest due time, and how far the run of that time has come.
 *
 * @param due the time; where no run was due yet, when the group first saw this schedule of the job
 * @param begun when the run was last begun, by the clock of its member; null if it was not
 * @param ended when it ended; null if it is not known to have
 * @param succeeded whether it ended without an exception
 * @param schedule of the job when this was recorded
 * @param member the name of the member that did what is recorded
 * @param token of that member's term
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

    /** How far a run has come. */
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
     * The newest state: the newest due time, and of that the furthest phase, whatever the order and the tokens of the
     * records are. A late record of a former leader that says BEGUN says nothing new, and one that says ENDED is true.
     */
    static Optional<RunRecord> newest(Collection<RunRecord> records) {
        return records.stream()
                .max(Comparator.comparing(RunRecord::due)
                        .thenComparing(RunRecord::phase)
                        .thenComparingLong(RunRecord::token));
    }

    RunRecord ended(Instant now, boolean well) {
        return new RunRecord(job, due, begun, now, well, schedule, member, token);
    }
}
