package io.neli;

import java.time.Instant;
import java.util.Optional;

/** One term of leading, of this member. Keeps its token when it is over, and then says so. */
public interface Leadership {

    /**
     * The term whose {@linkplain Neli#beginWork() gated work} the calling thread is in: the innermost where one piece of work
     * is begun within another; empty outside. Its role and token are also in the thread's logging context (SLF4J's
     * {@code MDC}) then, as {@code neli.role} and {@code neli.token}.
     */
    static Optional<Leadership> current() {
        return CurrentTerm.get();
    }

    /** The role that is led. */
    String role();

    /**
     * The fencing token: larger than that of any term before it. It is the offset of the term's claim in the leader
     * topic, so it starts anew only if the topic is deleted.
     */
    long token();

    /** When the term began, by the wall clock: for people. */
    Instant since();

    /** Whether the term still lasts; asks the clock at each call, like {@link Neli#isLeader()}. */
    boolean isValid();
}
