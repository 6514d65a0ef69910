package io.neli.nats;

import java.time.Duration;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;

/** Detects a silent server. Time for which this process was stopped does not count. Belongs to one thread. */
final class SilenceCheck {

    /** How many reports of the server may be missing. */
    private static final int REPORTS = 3;

    private final Duration report;
    private final Duration longest;
    private final MemberClock clock;
    private MonotonicTime heardAt;

    /** When the current wait ends at the latest, unless this process is stopped. */
    private MonotonicTime backAt = MonotonicTime.NEVER;

    /** @param report the server's longest interval between reports */
    SilenceCheck(Duration report, MemberClock clock) {
        this.report = report;
        this.longest = report.multipliedBy(REPORTS);
        this.clock = clock;
        this.heardAt = clock.time();
    }

    /** The server has sent something. */
    void heard() {
        heardAt = clock.time();
    }

    /** When {@link #lasts} may be true. */
    MonotonicTime dueAt() {
        return heardAt.plus(longest);
    }

    /**
     * Call this before and after each wait.
     *
     * @param wait how long this thread may wait now
     * @return how long the process was stopped since the last call; zero if that was no longer than a report interval
     */
    Duration stoppedFor(Duration wait) {
        MonotonicTime now = clock.time();
        Duration late = backAt.until(now);
        Duration stopped = late.compareTo(report) > 0 ? late : Duration.ZERO;
        heardAt = heardAt.plus(stopped);
        backAt = now.plus(wait);
        return stopped;
    }

    Duration longest() {
        return longest;
    }

    /** Whether the server has been silent for {@link #longest()}. */
    boolean lasts() {
        return clock.time().hasReached(dueAt());
    }
}
