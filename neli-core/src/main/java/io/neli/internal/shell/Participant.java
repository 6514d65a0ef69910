package io.neli.internal.shell;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * This member's part in an election: tells which of its terms last, and takes requests about whether it may lead. All
 * methods may be called from any thread.
 */
public interface Participant extends Terms {

    /**
     * All work of a revoked or fenced term has ended, and all listeners have been notified of the end.
     *
     * @param fenced whether the member had been notified of the term's fence before; if a fence comes later, another
     *     call follows it
     */
    void drained(int partition, long token, boolean fenced);

    /**
     * Hands over; the member is not eligible until the cooldown is over.
     *
     * @param partition null for all partitions
     */
    void resign(@Nullable Integer partition, Duration cooldown);

    /**
     * Pauses or resumes. A pause hands over, and the member is not eligible until it resumes. To resume also ends the
     * cooldown of {@link #resign}.
     *
     * @param partition null for the whole member, which is paused and resumed independently of its partitions
     */
    void pause(@Nullable Integer partition, boolean paused);

    /** Sets whether the member may lead; if not, it hands over all that it leads. May be called before the start. */
    void candidate(boolean candidate);
}
