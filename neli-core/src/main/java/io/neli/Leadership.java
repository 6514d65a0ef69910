package io.neli;

import java.time.Instant;
import java.util.Optional;

/** One term of this member's leadership. Keeps its token when the term is over; {@link #isValid()} is then false. */
public interface Leadership {

    /**
     * The term whose {@linkplain Neli#beginWork() work} the calling thread is doing: the innermost where one piece of
     * work was begun within another, empty outside of work. Its role and token are then also in the thread's logging
     * context (SLF4J's {@code MDC}) as {@code neli.role} and {@code neli.token}.
     */
    static Optional<Leadership> current() {
        return NeliBuilder.currentLeadership();
    }

    /** The role that is led. */
    String role();

    /**
     * The fencing token: larger than that of any earlier term, even if the leader topic was deleted or replaced in
     * between. It is less than 2<sup>53</sup>; tokens are not consecutive.
     */
    long token();

    /** When the term began, by the wall clock: for people. */
    Instant since();

    /** Whether the term still lasts; compares the lease with the clock at each call, like {@link Neli#isLeader()}. */
    boolean isValid();
}
