package io.neli.internal.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.neli.internal.election.MonotonicTime;

/**
 * Wakes a reader that sleeps past its deadline: Kafka's {@code poll} uses the wall clock, and a wall clock that is set back
 * would delay a fence by as much.
 */
final class Watchdog implements Runnable {

    private final MemberClock clock;
    private final Supplier<MonotonicTime> deadline;
    private final Runnable wakeup;
    private final Duration period;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A watchdog.
     *
     * @param deadline until when the reader may sleep; {@link MonotonicTime#NEVER} while it does not
     * @param period how often it looks, and how late a reader may be
     */
    Watchdog(MemberClock clock, Supplier<MonotonicTime> deadline, Runnable wakeup, Duration period) {
        this.clock = clock;
        this.deadline = deadline;
        this.wakeup = wakeup;
        this.period = period;
    }

    void close() {
        closed.countDown();
    }

    @Override
    public void run() {
        try {
            while (!closed.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
                if (clock.time().hasReached(deadline.get().plus(period))) {
                    wakeup.run();
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }
}
