package io.neli.nats;

import java.time.Duration;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;

/** Detects by the outcome of writes that a connection no longer works. Belongs to one thread. */
final class WriteCheck {

    /** The part of a lease for which a message may be in the stream and the reader make no progress. */
    private static final int PATIENCES_PER_LEASE = 4;

    /** For that long at least: a busy machine is no reason to connect again. */
    private static final Duration SHORTEST_PATIENCE = Duration.ofMillis(300);

    /** After how long without success another connection is tried, perhaps to another server. */
    private static final int LEASES_OF_FAILURES = 3;

    private final Duration leaseDuration;
    private final Duration patience;
    private final MemberClock clock;
    private final Problems problems;
    private final NatsFailure failure;
    private MonotonicTime writtenAt;
    private MonotonicTime stuckSince = MonotonicTime.NEVER;
    private long written;
    private long read;

    WriteCheck(Duration leaseDuration, MemberClock clock, Problems problems, NatsFailure failure) {
        this.leaseDuration = leaseDuration;
        Duration part = leaseDuration.dividedBy(PATIENCES_PER_LEASE);
        this.patience = part.compareTo(SHORTEST_PATIENCE) < 0 ? SHORTEST_PATIENCE : part;
        this.clock = clock;
        this.problems = problems;
        this.failure = failure;
        this.writtenAt = clock.time();
    }

    /** A message of this member is in the stream, at that sequence. */
    void written(Unsent.Attempt attempt, long sequence) {
        if (sequence < attempt.next()) {
            throw NatsFailure.ofConnection("the stream has gone back, or was created again");
        }
        problems.clear(Problems.Source.LOG);
        writtenAt = clock.time();
        written = Math.max(written, sequence);
    }

    void failed(Throwable why) {
        if (hasPassed(writtenAt, leaseDuration)) {
            problems.reportFirst(Problems.Source.LOG, failure.of(why));
        }
        if (hasPassed(writtenAt, leaseDuration.multipliedBy(LEASES_OF_FAILURES))) {
            throw NatsFailure.ofConnection("nothing can be written: " + why.getMessage());
        }
    }

    /** This process was stopped for so long, and so were all answers to it. */
    void resumed(Duration after) {
        writtenAt = writtenAt.plus(after);
        stuckSince = stuckSince.plus(after);
    }

    void refused(String why) {
        problems.report(Problems.Source.LOG, failure.ofRefusal(why));
    }

    /** So many messages from there are passed over. */
    void unreadable(long sequence, long passed) {
        problems.report(Problems.Source.LOG, failure.ofUnreadable(sequence, passed));
    }

    /**
     * Whether what is written is read.
     *
     * @param expected the next sequence to read
     */
    void check(long expected) {
        if (expected > written) {
            stuckSince = MonotonicTime.NEVER;
        } else if (stuckSince.equals(MonotonicTime.NEVER) || expected != read) {
            stuckSince = clock.time();
        } else if (hasPassed(stuckSince, patience)) {
            throw NatsFailure.ofConnection("the stream is not read, although it is written");
        }
        read = expected;
    }

    private boolean hasPassed(MonotonicTime since, Duration duration) {
        return clock.time().hasReached(since.plus(duration));
    }
}
