package io.neli;

import java.time.Duration;

/**
 * Hears of what can be measured: give it to {@link NeliBuilder#metrics}, and override what you count. What stands at a
 * moment, such as who leads or how long a lease still lasts, is in {@link Neli#snapshot()}.
 *
 * <p>Called on the threads of the election and on those of gated work, by several at once: must return at once. What it
 * throws is logged and changes nothing. One recipient serves all starts of an election.
 */
public interface NeliMetrics {

    /** How a piece of {@linkplain Neli#beginWork() gated work} ended. */
    enum WorkOutcome {
        /** In its term. */
        EXECUTED,
        /** After its term was revoked: the handover waited for it. */
        DRAINED,
        /** After its term was fenced, which interrupts it unless that is switched off. */
        INTERRUPTED
    }

    /** This member's leadership has changed; told before the listeners hear of it, and once for each of the same roles. */
    default void changed(LeaderEvent event) {}

    /**
     * This member has ceased to lead; told before the event that says why.
     *
     * @param time for how long it led, by its lease: without the time that it slept beyond it
     */
    default void led(int partition, Duration time) {}

    /**
     * A heartbeat of this member was read back from the log.
     *
     * @param roundTrip since it was sent; one that comes near the heartbeat timeout is about to cost the lead
     */
    default void heartbeatRead(int partition, Duration roundTrip) {}

    /** This member has asked in the log to follow the current leader, or nobody: it found the partition silent or vacant. */
    default void bidSent(int partition) {}

    /**
     * This member has claimed the partition of another that had not resigned: usually one that has crashed. With
     * {@link io.neli.protocol.Mode#NON_EXCLUSIVE} also in a planned handover.
     */
    default void takenOver(int partition) {}

    /** A piece of gated work begins; work within it is a part of it, and not told. */
    default void workBegun(String role) {}

    /** A piece of gated work has ended. */
    default void workEnded(String role, WorkOutcome outcome, Duration duration) {}

    /** Work was not let in, as this member does not lead the role. */
    default void workSkipped(String role) {}
}
