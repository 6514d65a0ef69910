package io.neli.internal.election;

import java.time.Duration;

/**
 * An instant on one member's monotonic clock, counted from that member's start: never compared with another member's, nor
 * with wall time.
 *
 * @param nanos since the member's start
 */
public record MonotonicTime(long nanos) implements Comparable<MonotonicTime> {

    /** Before any instant: long past. */
    public static final MonotonicTime PAST = new MonotonicTime(Long.MIN_VALUE);

    /** After any instant: never reached. */
    public static final MonotonicTime NEVER = new MonotonicTime(Long.MAX_VALUE);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** This instant moved on, at most to {@link #NEVER}; that and {@link #PAST} stay what they are. */
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

    /** How long from this instant until the other; negative if that lies before. */
    public Duration until(MonotonicTime other) {
        return Duration.ofNanos(other.nanos - nanos);
    }

    /** Whether this instant is the other or lies behind it. */
    public boolean hasReached(MonotonicTime other) {
        return nanos >= other.nanos;
    }

    static MonotonicTime earlier(MonotonicTime a, MonotonicTime b) {
        return a.nanos <= b.nanos ? a : b;
    }

    static MonotonicTime later(MonotonicTime a, MonotonicTime b) {
        return a.nanos >= b.nanos ? a : b;
    }

    @Override
    public int compareTo(MonotonicTime other) {
        return Long.compare(nanos, other.nanos);
    }
}
