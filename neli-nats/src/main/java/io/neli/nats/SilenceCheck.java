package io.neli.nats;

import java.time.Duration;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a server reports nothing any more, unless this process was stopped and has not listened. Belongs to one
 * thread.
 */
final class SilenceCheck {

    /** How many of the server's reports may be missing. */
    private static final int REPORTS = 3;

    private final Duration report;
    private final Duration longest;
    private final MemberClock clock;
    private MonotonicTime heardAt;

    /** When this thread is to be back, unless its process is stopped. */
    private @Nullable MonotonicTime backAt;

    /** @param report how often the server reports at least */
    SilenceCheck(Duration report, MemberClock clock) {
        this.report = report;
        this.longest = report.multipliedBy(REPORTS);
        this.clock = clock;
        this.heardAt = clock.time();
    }

    /** Something has come from the server. */
    void heard() {
        heardAt = clock.time();
    }

    /** When {@link #lasts} may be true. */
    MonotonicTime dueAt() {
        return heardAt.plus(longest);
    }

    /**
     * To be called again and again, before and after each wait.
     *
     * @param wait for how long this thread may wait now
     * @return for how long the process was stopped since the last call: zero unless that was longer than a report takes
     */
    Duration stoppedFor(Duration wait) {
        MonotonicTime now = clock.time();
        Duration late = backAt == null ? Duration.ZERO : backAt.until(now);
        Duration stopped = late.compareTo(report) > 0 ? late : Duration.ZERO;
        heardAt = heardAt.plus(stopped);
        backAt = now.plus(wait);
        return stopped;
    }

    /** For how long a server may report nothing. */
    Duration longest() {
        return longest;
    }

    /** Whether the server has reported nothing for longer than that. */
    boolean lasts() {
        return clock.time().hasReached(dueAt());
    }
}
