package io.neli.nats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import org.jspecify.annotations.Nullable;

/** Detects from the outcome of writes that a connection no longer works. Belongs to one thread. */
final class WriteCheck {

    /** The part of a lease for which the reader may make no progress although a message is in the stream. */
    private static final int PATIENCES_PER_LEASE = 4;

    /** The shortest patience: a busy machine is no reason to reconnect. */
    private static final Duration SHORTEST_PATIENCE = Duration.ofMillis(300);

    /**
     * The part of a lease for which all writes may fail. After that, the member connects to another server: one that is
     * cut off from its cluster still accepts connections.
     */
    private static final int FAILURES_PER_LEASE = 3;

    /**
     * How long a refusal counts if no message shows that it is over: a member may have nothing to write there any more.
     * An eligible member tries to write more often while nobody leads.
     */
    private static final int LEASES_UNTIL_OVER = 3;

    /** What a server has refused to take under a subject, and when it last did. */
    record Refused(String why, MonotonicTime at) {}

    private static final Pattern SUBJECT = Pattern.compile("Publish to \"([^\"]+)\"");

    private final Duration leaseDuration;
    private final Duration patience;
    private final Duration failurePatience;
    private final MemberClock clock;
    private final Problems problems;
    private final NatsFailure failure;
    private final Map<String, Refused> refused;
    private MonotonicTime writtenAt;
    private MonotonicTime failingSince = MonotonicTime.NEVER;
    private MonotonicTime stuckSince = MonotonicTime.NEVER;
    private @Nullable Throwable lastFailure;
    private @Nullable String lastRefusal;
    private long written;
    private long read;

    /**
     * @param refused what servers have refused to take, by subject; outlives the connection, which is replaced soon if
     *     nothing is taken
     */
    WriteCheck(
            Duration leaseDuration,
            MemberClock clock,
            Problems problems,
            NatsFailure failure,
            Map<String, Refused> refused) {
        this.leaseDuration = leaseDuration;
        this.patience = atLeast(leaseDuration.dividedBy(PATIENCES_PER_LEASE));
        this.failurePatience = atLeast(leaseDuration.dividedBy(FAILURES_PER_LEASE));
        this.clock = clock;
        this.problems = problems;
        this.failure = failure;
        this.refused = refused;
        this.writtenAt = clock.time();
    }

    private static Duration atLeast(Duration part) {
        return part.compareTo(SHORTEST_PATIENCE) < 0 ? SHORTEST_PATIENCE : part;
    }

    /** A message of this member is in the stream at {@code sequence}. */
    void written(Unsent.Attempt attempt, long sequence) {
        if (sequence < attempt.next()) {
            throw NatsFailure.ofConnection("the stream has gone back, or was created again");
        }
        endRefusals(attempt.message().getSubject());
        failingSince = MonotonicTime.NEVER;
        writtenAt = clock.time();
        written = Math.max(written, sequence);
    }

    /** A message was not taken, or not answered. */
    void failed(Unsent.Attempt attempt, Throwable why) {
        failingSince = MonotonicTime.earlier(failingSince, MonotonicTime.later(attempt.since(), writtenAt));
        lastFailure = why;
        if (hasPassed(writtenAt, leaseDuration)) {
            problems.reportFirst(Problems.Source.LOG, failure.of(why));
        }
    }

    /** This process was stopped for {@code after} and could not receive answers, so this time does not count. */
    void resumed(Duration after) {
        writtenAt = writtenAt.plus(after);
        failingSince = failingSince.plus(after);
        stuckSince = stuckSince.plus(after);
        refused.replaceAll((subject, last) -> new Refused(last.why(), last.at().plus(after)));
    }

    void refused(String why) {
        lastRefusal = why;
        Matcher subject = SUBJECT.matcher(why);
        if (subject.find()) {
            refused.put(subject.group(1), new Refused(why, clock.time()));
            reportRefused();
        } else {
            problems.report(Problems.Source.LOG, failure.ofRefusal(why));
        }
    }

    /** Called when a message was taken. */
    private void endRefusals(String subject) {
        Duration atMost = leaseDuration.multipliedBy(LEASES_UNTIL_OVER);
        boolean ofSubject =
                refused.values().stream().anyMatch(last -> last.why().equals(lastRefusal));
        refused.remove(subject);
        refused.values().removeIf(last -> hasPassed(last.at(), atMost));
        if (ofSubject) { // any other, such as of a subscription, counts as long as the connection
            lastRefusal =
                    refused.values().stream().map(Refused::why).findFirst().orElse(null);
        }
        reportRefused();
    }

    /** Reports the first refusal that is not over, so that several do not take turns. */
    private void reportRefused() {
        problems.reportOrClear(
                Problems.Source.LOG,
                refused.values().stream()
                        .findFirst()
                        .map(first -> failure.ofRefusal(first.why()))
                        .orElse(null));
    }

    /** Whether the server has refused anything that is not over. */
    boolean isRefused() {
        return lastRefusal != null;
    }

    /** Reports that {@code passed} messages from {@code sequence} on are skipped. */
    void unreadable(long sequence, long passed) {
        problems.report(Problems.Source.LOG, failure.ofUnreadable(sequence, passed));
    }

    /** Throws if writes have failed, or written messages have not been read, for too long. */
    void check(long expected) {
        if (hasPassed(failingSince, failurePatience)) {
            throw failure("nothing has been written for " + failurePatience.toMillis() + " ms", lastFailure);
        }
        if (expected > written) {
            stuckSince = MonotonicTime.NEVER;
        } else if (stuckSince.equals(MonotonicTime.NEVER) || expected != read) {
            stuckSince = clock.time();
        } else if (hasPassed(stuckSince, patience)) {
            throw failure("the stream is not read, although it is written");
        }
        read = expected;
    }

    /** An exception that says why the connection can no longer be used, and what the server has refused on it. */
    UncheckedIOException failure(String why) {
        return failure(why, null);
    }

    private UncheckedIOException failure(String why, @Nullable Throwable cause) {
        // A refused message is not answered.
        IOException reason =
                lastRefusal == null ? new IOException(why, cause) : new NatsFailure.Refusal(lastRefusal, cause);
        return new UncheckedIOException(why, reason);
    }

    private boolean hasPassed(MonotonicTime since, Duration duration) {
        return clock.time().hasReached(since.plus(duration));
    }
}
