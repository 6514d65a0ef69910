package io.neli.internal.shell;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;

/** The clocks of a member: all time in the shell comes from here. Read from any thread. */
@FunctionalInterface
public interface MemberClock {

    /** A reading of both clocks. */
    Moment now();

    default MonotonicTime time() {
        return now().time();
    }

    /** The origin of the monotonic time of {@link #system}: the same for all, so that readings can be compared. */
    long ORIGIN = System.nanoTime();

    /** {@link System#nanoTime}, counted from its first use, and {@link System#currentTimeMillis}. */
    static MemberClock system() {
        return () -> new Moment(new MonotonicTime(System.nanoTime() - ORIGIN), System.currentTimeMillis());
    }
}
