package io.neli.internal.shell;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.neli.internal.election.MonotonicTime;

/** A time limit that several waits share. Thread-safe. */
public record Deadline(MonotonicTime end, MemberClock clock) {

    public static Deadline after(Duration limit, MemberClock clock) {
        return new Deadline(clock.time().plus(limit.isNegative() ? Duration.ZERO : limit), clock);
    }

    /** The time left; zero when it is over. */
    public Duration left() {
        Duration left = clock.time().until(end);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Waits on the monitor, which the caller holds, until the condition is met; returns whether it is met in time. */
    public boolean await(Object monitor, BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            long left = left().toMillis();
            if (left == 0) {
                return false;
            }
            monitor.wait(left);
        }
        return true;
    }
}
