package io.neli;

import java.time.Instant;

/** One term of leading, of this member. Keeps its token when it is over, and then says so. */
public interface Leadership {

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
