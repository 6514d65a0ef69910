package io.neli.nats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.nats.client.Message;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Backoff;

/**
 * Messages that no server took, because the stream had no leader at that moment. The latest one of each subject is sent
 * again while it may still matter, after growing pauses. Belongs to one thread.
 */
final class Unsent {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

    /** The longest pause is {@code keepFor} divided by this. */
    private static final int PAUSES = 8;

    private final Duration keepFor;
    private final Backoff pauses;
    private final Map<String, Attempt> latest = new LinkedHashMap<>();
    private MonotonicTime again = MonotonicTime.NEVER;

    /**
     * A message to write.
     *
     * @param since when it was first sent
     * @param next the next sequence to read at that time
     */
    record Attempt(Message message, MonotonicTime since, long next) {}

    Unsent(Duration keepFor) {
        this.keepFor = keepFor;
        this.pauses = new Backoff(SHORTEST_PAUSE, keepFor.dividedBy(PAUSES));
    }

    void add(Attempt attempt, MonotonicTime now) {
        if (latest.isEmpty()) {
            again = now.plus(pauses.next());
        }
        latest.merge(attempt.message().getSubject(), attempt, Unsent::later);
    }

    private static Attempt later(Attempt one, Attempt other) {
        return other.since().hasReached(one.since()) ? other : one;
    }

    /** The message is in the stream: earlier ones of its subject must not follow it. */
    void written(Attempt attempt) {
        pauses.reset();
        latest.computeIfPresent(
                attempt.message().getSubject(),
                (subject, other) -> attempt.since().hasReached(other.since()) ? null : other);
    }

    /** When {@link #take} has something to return. */
    MonotonicTime dueAt() {
        return again;
    }

    /** Removes and returns the messages to send now. */
    List<Attempt> take(MonotonicTime now) {
        if (!now.hasReached(again)) {
            return List.of();
        }
        again = MonotonicTime.NEVER;
        List<Attempt> due = new ArrayList<>(latest.values());
        latest.clear();
        due.removeIf(attempt -> now.hasReached(attempt.since().plus(keepFor)));
        return due;
    }
}
