package io.neli;

import java.util.Optional;

/**
 * Receives the changes of this member's leadership, one at a time and in order, on a thread of the election on which
 * only the next event waits.
 *
 * <p>A member has one such thread for all its roles. While a listener blocks, work in a role that is acquired meanwhile
 * does not start, and a role that is revoked meanwhile is handed over only when its own listeners have returned or the
 * handover timeout has passed ({@link LeaderEvent.LeaderFenced}). Put whatever takes long into {@linkplain
 * Neli#beginWork() work}: it delays the handover of its own partition only.
 */
@FunctionalInterface
public interface LeaderListener {

    /** May block, as the event's documentation says. What it throws is logged. */
    void onEvent(LeaderEvent event);

    /**
     * Another member leads the role, or this one, in a new term, or nobody is known to. Every member is told, also one
     * that may not lead, until it closes. It comes after the {@link #onEvent event} of this member's own change. What
     * it throws is logged.
     *
     * @param leader as {@link Neli#leader(String)} says; empty while nobody is known to lead, as in a handover
     */
    default void onLeaderChanged(String role, Optional<Leader> leader) {}
}
