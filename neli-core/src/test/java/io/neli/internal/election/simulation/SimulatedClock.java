package io.neli.internal.election.simulation;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** Both clocks of one member. The monotonic one has its own rate, and starts with the member. */
final class SimulatedClock {

    private static final long MILLION = 1_000_000;

    final Timeline timeline;
    private final long rate;
    private long origin;
    private long suspendedAt = Long.MAX_VALUE;
    private long wallShift;

    SimulatedClock(Timeline timeline, long partsPerMillion) {
        this.timeline = timeline;
        this.rate = MILLION + partsPerMillion;
        this.origin = timeline.now();
    }

    /** The clock of a copy of the machine. It does not move until it is {@link #awake}. */
    SimulatedClock copy() {
        SimulatedClock copy = new SimulatedClock(timeline, rate - MILLION);
        copy.origin = origin;
        copy.wallShift = wallShift;
        copy.suspend();
        return copy;
    }

    long nanos() {
        return (Math.min(timeline.now(), suspendedAt) - origin) * rate / MILLION;
    }

    Moment now() {
        return new Moment(new MonotonicTime(nanos()), (timeline.now() + wallShift) / MILLISECOND);
    }

    /** The true instant at which the monotonic clock reaches {@code time}. */
    long instantOf(MonotonicTime time) {
        return origin + (time.nanos() * MILLION + rate - 1) / rate;
    }

    void suspend() {
        suspendedAt = timeline.now();
    }

    void awake() {
        if (suspendedAt < Long.MAX_VALUE) {
            origin += timeline.now() - suspendedAt;
            suspendedAt = Long.MAX_VALUE;
        }
    }

    void shiftWall(long by) {
        wallShift += by;
    }
}
