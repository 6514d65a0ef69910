package io.neli;

/**
 * Hears of changes in this member's leadership, one at a time and in order, on a thread of the election that nothing else
 * depends on but the next event.
 */
@FunctionalInterface
public interface LeaderListener {

    /** May block, as the event's own documentation says. What it throws is logged. */
    void onEvent(LeaderEvent event);
}
