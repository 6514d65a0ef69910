package io.neli;

/**
 * Hears of changes in this member's leadership, one at a time and in order, on a thread of the election that nothing else
 * depends on but the next event.
 *
 * <p>That next event may be another role's, as a member has one such thread for all of its roles. While a listener blocks,
 * work of a role that is acquired meanwhile does not start, and a role that is revoked meanwhile is handed over only when
 * its own listeners have returned, or by force after the handover timeout, as {@link LeaderFenced} says: another member
 * leads in any case. What takes long belongs into {@linkplain Neli#beginWork() gated work}, which holds up the handover of its
 * own partition alone.
 */
@FunctionalInterface
public interface LeaderListener {

    /** May block, as the event's own documentation says. What it throws is logged. */
    void onEvent(LeaderEvent event);
}
