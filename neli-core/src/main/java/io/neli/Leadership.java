package io.neli;

import java.time.Instant;
import java.util.Optional;

/** One term of this member's leadership. It keeps its token after the term; {@link #isValid()} is then false. */
public interface Leadership {

    /**
     * The term of the {@linkplain Neli#beginWork() work} that the calling thread is doing; of nested work, the
     * innermost. Empty outside of work. During work, the logging context of the thread (SLF4J's {@code MDC}) also
     * contains the role and the token, as {@code neli.role} and {@code neli.token}.
     */
    static Optional<Leadership> current() {
        return NeliBuilder.currentLeadership();
    }

    /** The role that is led. */
    String role();

    /**
     * The fencing token. It is larger than that of any earlier term, even if the leader topic was deleted or replaced
     * in between, and less than 2<sup>53</sup>. Tokens are not consecutive.
     */
    long token();

    /** When the term began, by the wall clock; for display. */
    Instant since();

    /** Whether the term still lasts. Compares the lease with the clock at each call, like {@link Neli#isLeader()}. */
    boolean isValid();
}
