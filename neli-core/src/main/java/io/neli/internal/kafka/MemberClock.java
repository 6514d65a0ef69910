package io.neli.internal.kafka;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;

/** The clocks of a member: all time in the shell comes from here. Read from any thread. */
@FunctionalInterface
public interface MemberClock {

    /** A reading of both clocks. */
    Moment now();

    /** A reading of the monotonic clock. */
    default MonotonicTime time() {
        return now().time();
    }

    /** {@link System#nanoTime} counted from this call, and {@link System#currentTimeMillis}. */
    static MemberClock system() {
        long origin = System.nanoTime();
        return () -> new Moment(new MonotonicTime(System.nanoTime() - origin), System.currentTimeMillis());
    }
}
