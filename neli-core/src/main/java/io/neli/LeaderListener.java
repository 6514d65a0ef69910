package io.neli;

import java.util.Optional;

/**
 * Is notified of the changes of this member's leadership, one at a time and in order. The election has a separate
 * thread for listeners, so a listener that blocks delays only the events after it.
 *
 * <p>All roles of a member share this thread. While a listener blocks, no work starts in a role that is acquired
 * meanwhile. A role that is revoked meanwhile is handed over only when its own listeners have returned or the handover
 * timeout has passed ({@link LeaderEvent.LeaderFenced}). Do slow things in {@linkplain Neli#beginWork() work}, which
 * delays only the handover of its own partition.
 */
@FunctionalInterface
public interface LeaderListener {

    /** Handles an event. May block, with the effects that the event documents. Exceptions are logged. */
    void onEvent(LeaderEvent event);

    /**
     * The known leader of a role has changed: another member leads, this member leads in a new term, or nobody is known
     * to lead. Every member is notified until it closes, even if it may not lead. This call comes after the {@link
     * #onEvent event} of this member's own change. Exceptions are logged.
     *
     * @param leader as {@link Neli#leader(String)} returns it; empty while nobody is known to lead
     */
    default void onLeaderChanged(String role, Optional<Leader> leader) {}
}
