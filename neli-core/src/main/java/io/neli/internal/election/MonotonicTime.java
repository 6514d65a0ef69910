package io.neli.internal.election;

import java.time.Duration;

/**
 * An instant on one member's monotonic clock. It is never compared with another member's, nor with wall time.
 *
 * @param nanos nanoseconds since the member's start
 */
public record MonotonicTime(long nanos) implements Comparable<MonotonicTime> {

    /** Before any instant. */
    public static final MonotonicTime PAST = new MonotonicTime(Long.MIN_VALUE);

    /** After any instant. */
    public static final MonotonicTime NEVER = new MonotonicTime(Long.MAX_VALUE);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** This instant plus the duration, at most {@link #NEVER}; {@link #PAST} and {@link #NEVER} do not change. */
    public MonotonicTime plus(Duration duration) {
        return plusNanos(duration.compareTo(LONGEST) < 0 ? duration.toNanos() : Long.MAX_VALUE);
    }

    MonotonicTime plusNanos(long duration) {
        if (nanos == Long.MIN_VALUE || nanos == Long.MAX_VALUE) {
            return this;
        }
        boolean beyond = duration > 0 && nanos > Long.MAX_VALUE - duration;
        return beyond ? NEVER : new MonotonicTime(nanos + duration);
    }

    /** The time from this instant to the other; negative if the other is earlier. */
    public Duration until(MonotonicTime other) {
        return Duration.ofNanos(other.nanos - nanos);
    }

    /** Whether this instant is the other or later. */
    public boolean hasReached(MonotonicTime other) {
        return nanos >= other.nanos;
    }

    public static MonotonicTime earlier(MonotonicTime a, MonotonicTime b) {
        return a.nanos <= b.nanos ? a : b;
    }

    public static MonotonicTime later(MonotonicTime a, MonotonicTime b) {
        return a.nanos >= b.nanos ? a : b;
    }

    @Override
    public int compareTo(MonotonicTime other) {
        return Long.compare(nanos, other.nanos);
    }
}
