package io.neli;

/**
 * Receives the changes of this member's leadership, one at a time and in order, on a thread of the election on which only the
 * next event waits.
 *
 * <p>A member has one such thread for all its roles. While a listener blocks, work in a role that is acquired meanwhile does not
 * start, and a role that is revoked meanwhile is handed over only when its own listeners have returned or the handover timeout
 * has passed ({@link LeaderEvent.LeaderFenced}). Put whatever takes long into {@linkplain Neli#beginWork() work}: it delays the
 * handover of its own partition only.
 */
@FunctionalInterface
public interface LeaderListener {

    /** May block, as the event's documentation says. What it throws is logged. */
    void onEvent(LeaderEvent event);
}
