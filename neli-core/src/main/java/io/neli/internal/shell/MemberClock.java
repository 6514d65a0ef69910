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

    /** From where {@link #system} counts: one for all, so that no two readings are from different origins. */
    long ORIGIN = System.nanoTime();

    /**
     * The clock of this process: {@link System#nanoTime} counted from its first use, and {@link
     * System#currentTimeMillis}.
     */
    static MemberClock system() {
        return () -> new Moment(new MonotonicTime(System.nanoTime() - ORIGIN), System.currentTimeMillis());
    }
}
