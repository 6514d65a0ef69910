package io.neli.internal.election.exhaustive;

import java.time.Duration;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;

/** Time in ticks, and a member's two clocks derived from it. */
final class Clocks {

    /** Ticks per lease. */
    static final int LEASE = 4;

    static final Duration TICK = Duration.ofMillis(250);

    /**
     * Slow by nine tenths of the drift margin. By such a clock, a lease still lasts at the tick that ends it by an
     * exact clock, so coarse ticks do not hide a broken rule.
     */
    static final double SLOW = 0.991;

    /** Below zero, so that tokens depend on the log alone and stay small. */
    private static final long WALL = -1_700_000_000_000L;

    private Clocks() {}

    static Moment at(int tick, double rate) {
        long nanos = (long) (tick * TICK.toNanos() * rate);
        return new Moment(new MonotonicTime(nanos), WALL + nanos / 1_000_000);
    }
}
