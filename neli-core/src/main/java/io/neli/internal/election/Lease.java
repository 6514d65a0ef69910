package io.neli.internal.election;

import java.time.Duration;

/**
 * The right to lead until a deadline. It holds only while both clocks are before their deadlines.
 *
 * @param until the deadline by the monotonic clock
 * @param wallUntilMillis the deadline by the wall clock
 */
public record Lease(MonotonicTime until, long wallUntilMillis) {

    /** A lease that is over. */
    public static final Lease OVER = new Lease(MonotonicTime.PAST, Long.MIN_VALUE);

    /**
     * By how much the rates of two members' clocks may differ: one percent. A time service that slews the clock changes
     * the rate of {@code System.nanoTime} too; chrony by up to 8.3 % unless its {@code maxslewrate} is set.
     */
    private static final long DRIFT_MARGIN_DIVISOR = 100;

    /** In nanoseconds, how long another member's lease may last by this member's clock. */
    static long withMargin(Duration lease) {
        long nanos = lease.toNanos();
        return nanos + nanos / DRIFT_MARGIN_DIVISOR;
    }

    static Lease from(Moment sent, Duration length) {
        return new Lease(sent.time().plus(length), sent.wallMillis() + length.toMillis());
    }

    public boolean holdsAt(Moment now) {
        return now.time().compareTo(until) < 0 && now.wallMillis() < wallUntilMillis;
    }

    /** How long the lease lasts after that moment; zero if it is over. */
    Duration leftAt(Moment now) {
        if (!holdsAt(now)) {
            return Duration.ZERO;
        }
        Duration byWallClock = Duration.ofMillis(wallUntilMillis - now.wallMillis());
        Duration left = now.time().until(until);
        return left.compareTo(byWallClock) < 0 ? left : byWallClock;
    }

    /** This lease, ended at that moment at the latest: a clock that is set back does not revive it. */
    Lease endedAt(Moment now) {
        return new Lease(MonotonicTime.earlier(until, now.time()), wallUntilMillis);
    }
}
