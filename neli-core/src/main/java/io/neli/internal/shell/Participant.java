package io.neli.internal.shell;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * This member's part in an election: which of its terms last, and whether it may lead. All methods may be called from
 * any thread.
 */
public interface Participant extends Terms {

    /**
     * All work of a revoked or fenced term has ended, and all listeners have been notified of the end.
     *
     * @param fenced whether the member had been notified of the term's fence by then; if not, another report follows a
     *     fence
     */
    void drained(int partition, long token, boolean fenced);

    /**
     * Hands over; the member is not eligible before the cooldown is over.
     *
     * @param partition null for all, and all that is led
     */
    void resign(@Nullable Integer partition, Duration cooldown);

    /**
     * Hands over while paused; the member is not eligible meanwhile. To resume ends the cooldown of {@link #resign}
     * too.
     *
     * @param partition null for the whole member, which is paused and resumed independently of its partitions
     */
    void pause(@Nullable Integer partition, boolean paused);

    /**
     * Whether the member may lead from now on; if not, it hands over all that is led. May also be called before the
     * start.
     */
    void candidate(boolean candidate);
}
