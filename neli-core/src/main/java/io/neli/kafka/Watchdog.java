package io.neli.kafka;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Wakes a reader that sleeps past its deadline: Kafka's {@code poll} times by the wall clock, and one that is set back would
 * hold up the fence for as long.
 */
final class Watchdog implements Runnable {

    /** In the place of a deadline: the reader does not sleep. */
    static final long AWAKE = Long.MAX_VALUE;

    private final LongSupplier deadlineNanos;
    private final Runnable wakeup;
    private final long periodNanos;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A watchdog.
     *
     * @param deadlineNanos until when the reader may sleep, by {@link System#nanoTime}; {@link #AWAKE} while it does not
     */
    Watchdog(LongSupplier deadlineNanos, Runnable wakeup, long periodNanos) {
        this.deadlineNanos = deadlineNanos;
        this.wakeup = wakeup;
        this.periodNanos = periodNanos;
    }

    void close() {
        closed.countDown();
    }

    @Override
    public void run() {
        try {
            while (!closed.await(periodNanos, TimeUnit.NANOSECONDS)) {
                long deadline = deadlineNanos.getAsLong();
                if (deadline != AWAKE && System.nanoTime() - deadline > periodNanos) {
                    wakeup.run();
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }
}
