package io.neli.nats;

import java.io.UncheckedIOException;
import java.time.Duration;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import org.jspecify.annotations.Nullable;

/** Detects by the outcome of writes that a connection no longer works. Belongs to one thread. */
final class WriteCheck {

    /** The part of a lease for which a message may be in the stream and the reader make no progress. */
    private static final int PATIENCES_PER_LEASE = 4;

    /** For that long at least: a busy machine is no reason to connect again. */
    private static final Duration SHORTEST_PATIENCE = Duration.ofMillis(300);

    /**
     * The part of a lease for which no message may be taken. Then there is to be a connection to another server: one
     * that is cut off from its cluster can still be reached.
     */
    private static final int FAILURES_PER_LEASE = 3;

    private final Duration leaseDuration;
    private final Duration patience;
    private final Duration failurePatience;
    private final MemberClock clock;
    private final Problems problems;
    private final NatsFailure failure;
    private MonotonicTime writtenAt;
    private MonotonicTime failingSince = MonotonicTime.NEVER;
    private MonotonicTime stuckSince = MonotonicTime.NEVER;
    private @Nullable Throwable lastFailure;
    private @Nullable String lastRefusal;
    private long written;
    private long read;

    WriteCheck(Duration leaseDuration, MemberClock clock, Problems problems, NatsFailure failure) {
        this.leaseDuration = leaseDuration;
        this.patience = atLeast(leaseDuration.dividedBy(PATIENCES_PER_LEASE));
        this.failurePatience = atLeast(leaseDuration.dividedBy(FAILURES_PER_LEASE));
        this.clock = clock;
        this.problems = problems;
        this.failure = failure;
        this.writtenAt = clock.time();
    }

    private static Duration atLeast(Duration part) {
        return part.compareTo(SHORTEST_PATIENCE) < 0 ? SHORTEST_PATIENCE : part;
    }

    /** A message of this member is in the stream, at that sequence. */
    void written(Unsent.Attempt attempt, long sequence) {
        if (sequence < attempt.next()) {
            throw NatsFailure.ofConnection("the stream has gone back, or was created again");
        }
        problems.clear(Problems.Source.LOG);
        failingSince = MonotonicTime.NEVER;
        writtenAt = clock.time();
        written = Math.max(written, sequence);
    }

    /** A message was not taken, or not answered. */
    void failed(Unsent.Attempt attempt, Throwable why) {
        MonotonicTime since = attempt.since().hasReached(writtenAt) ? attempt.since() : writtenAt;
        if (failingSince.hasReached(since)) {
            failingSince = since;
        }
        lastFailure = why;
        if (hasPassed(writtenAt, leaseDuration)) {
            problems.reportFirst(Problems.Source.LOG, failure.of(why));
        }
    }

    /** This process was stopped for so long, and so were all answers to it. */
    void resumed(Duration after) {
        writtenAt = writtenAt.plus(after);
        failingSince = failingSince.plus(after);
        stuckSince = stuckSince.plus(after);
    }

    void refused(String why) {
        lastRefusal = why;
        problems.report(Problems.Source.LOG, failure.ofRefusal(why));
    }

    /** So many messages from there are passed over. */
    void unreadable(long sequence, long passed) {
        problems.report(Problems.Source.LOG, failure.ofUnreadable(sequence, passed));
    }

    /**
     * Whether messages are taken, and what is written is read.
     *
     * @param expected the next sequence to read
     */
    void check(long expected) {
        if (hasPassed(failingSince, failurePatience)) {
            throw nothingWritten();
        }
        if (expected > written) {
            stuckSince = MonotonicTime.NEVER;
        } else if (stuckSince.equals(MonotonicTime.NEVER) || expected != read) {
            stuckSince = clock.time();
        } else if (hasPassed(stuckSince, patience)) {
            throw NatsFailure.ofConnection("the stream is not read, although it is written");
        }
        read = expected;
    }

    private UncheckedIOException nothingWritten() {
        UncheckedIOException problem =
                NatsFailure.ofConnection("nothing has been written for " + failurePatience.toMillis() + " ms: "
                        + (lastFailure == null ? "no answer" : lastFailure.getMessage()));
        if (lastRefusal != null) { // a message that is refused is only not answered
            problem.addSuppressed(new Refusal(lastRefusal));
        }
        return problem;
    }

    private boolean hasPassed(MonotonicTime since, Duration duration) {
        return clock.time().hasReached(since.plus(duration));
    }
}
