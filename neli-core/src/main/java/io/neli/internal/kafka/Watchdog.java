package io.neli.internal.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;

/**
 * Wakes a reader that sleeps past its deadline: Kafka's {@code poll} uses the wall clock, and a wall clock that is set back
 * would delay a fence by as much.
 */
final class Watchdog implements Runnable {

    private final MemberClock clock;
    private final Supplier<MonotonicTime> deadline;
    private final Runnable wakeup;
    private final Duration margin;
    private final Duration longestSleep;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A watchdog.
     *
     * @param deadline until when the reader may sleep; {@link MonotonicTime#NEVER} while it does not
     * @param margin how late a reader may be
     * @param longestSleep how much later a reader may be whose deadline comes before the one that the watchdog waits for
     */
    Watchdog(
            MemberClock clock,
            Supplier<MonotonicTime> deadline,
            Runnable wakeup,
            Duration margin,
            Duration longestSleep) {
        this.clock = clock;
        this.deadline = deadline;
        this.wakeup = wakeup;
        this.margin = margin;
        this.longestSleep = longestSleep;
    }

    /** Until the reader is late; if it is, for the margin, in which it should notice that it was woken. */
    private Duration sleep(MonotonicTime due) {
        MonotonicTime now = clock.time();
        if (now.hasReached(due)) {
            return margin;
        }
        return now.plus(longestSleep).compareTo(due) < 0 ? longestSleep : now.until(due);
    }

    void close() {
        closed.countDown();
    }

    @Override
    public void run() {
        try {
            MonotonicTime due = deadline.get().plus(margin);
            while (!closed.await(sleep(due).toNanos(), TimeUnit.NANOSECONDS)) {
                due = deadline.get().plus(margin);
                if (clock.time().hasReached(due)) {
                    wakeup.run();
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }
}
