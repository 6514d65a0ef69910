package io.neli.nats;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.nats.client.Message;
import io.neli.internal.election.MonotonicTime;

/**
 * Messages that nobody has taken, as the stream had no leader at that moment: they are sent again, as long as they may still matter.
 * Belongs to one thread.
 */
final class Unsent {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Duration keepFor;
    private final Deque<Attempt> attempts = new ArrayDeque<>();
    private MonotonicTime again = MonotonicTime.NEVER;

    /**
     * A message to be written.
     *
     * @param since when it was first sent
     * @param next the next sequence to read at that time
     */
    record Attempt(Message message, MonotonicTime since, long next) {}

    Unsent(Duration keepFor) {
        this.keepFor = keepFor;
    }

    void add(Attempt attempt, MonotonicTime now) {
        if (attempts.isEmpty()) {
            again = now.plus(PAUSE);
        }
        attempts.add(attempt);
    }

    /** When {@link #take} has something to return. */
    MonotonicTime dueAt() {
        return again;
    }

    /** Those that are to be sent now. */
    List<Attempt> take(MonotonicTime now) {
        if (!now.hasReached(again)) {
            return List.of();
        }
        again = MonotonicTime.NEVER;
        List<Attempt> due = new ArrayList<>(attempts);
        attempts.clear();
        due.removeIf(attempt -> now.hasReached(attempt.since().plus(keepFor)));
        return due;
    }
}
