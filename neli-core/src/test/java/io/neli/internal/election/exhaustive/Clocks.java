package io.neli.internal.election.exhaustive;

import java.time.Duration;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;

/** Time in ticks, and what a member's two clocks make of it. */
final class Clocks {

    /** Ticks per lease. */
    static final int LEASE = 4;

    static final Duration TICK = Duration.ofMillis(250);

    /**
     * Slow by nine tenths of the drift margin: a lease held by such a clock lasts on the tick that ends it by an exact
     * one, so no rule is kept by the coarseness of the ticks.
     */
    static final double SLOW = 0.991;

    /** Below zero: tokens count from the log alone, and stay small. */
    private static final long WALL = -1_700_000_000_000L;

    private Clocks() {}

    static Duration ticks(int ticks) {
        return TICK.multipliedBy(ticks);
    }

    static Moment at(int tick, double rate) {
        long nanos = (long) (tick * TICK.toNanos() * rate);
        return new Moment(new MonotonicTime(nanos), WALL + nanos / 1_000_000);
    }
}
