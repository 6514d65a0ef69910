package io.neli.kafka;

import io.neli.protocol.Moment;
import io.neli.protocol.MonotonicTime;

/** Both clocks of a member; read from any thread. */
@FunctionalInterface
public interface MemberClock {

    /** The clocks as they stand now. */
    Moment now();

    /** {@link System#nanoTime} counted from this call, and {@link System#currentTimeMillis}. */
    static MemberClock system() {
        long origin = System.nanoTime();
        return () -> new Moment(new MonotonicTime(System.nanoTime() - origin), System.currentTimeMillis());
    }
}
