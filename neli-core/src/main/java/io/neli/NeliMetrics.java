package io.neli;

import java.time.Duration;

/**
 * Receives what can be measured: pass it to {@link NeliBuilder#metrics}, and override what you count. The current
 * state, such as who leads or how long a lease still lasts, is in {@link Neli#snapshot()}.
 *
 * <p>Called on the threads of the election and on those of work, by several at once: must return at once. What it
 * throws is logged and changes nothing. One recipient serves all starts of an election.
 */
public interface NeliMetrics {

    /** How a piece of {@linkplain Neli#beginWork() work} ended. */
    enum WorkOutcome {
        /** In its term. */
        EXECUTED,
        /** After its term was revoked: the handover waited for it. */
        DRAINED,
        /** After its term was fenced, which interrupts it unless that is switched off. */
        INTERRUPTED
    }

    /** How a run of a {@link Job} ended. */
    enum RunOutcome {
        SUCCEEDED,
        /** It has thrown: it has ended, and is not repeated. */
        FAILED,
        /** It has thrown after its lease was over: it has not ended. */
        INTERRUPTED
    }

    /** Why a run of a {@link Job} was due. */
    enum RunKind {
        ON_TIME,
        /** Nobody led at its time, or its leader did not begin it. */
        MADE_UP,
        /** It had begun before, and was not known to have ended. */
        REPEATED
    }

    /** This member's leadership has changed; called before the listeners are notified, with the same events. */
    default void changed(LeaderEvent event) {}

    /**
     * A handover of this member is over: the listeners have returned from the {@link LeaderEvent.LeaderRevoked} of that
     * term, and its work has ended. Not called where a fence came first.
     */
    default void handedOver(int partition, long token) {}

    /**
     * A heartbeat of this member was read back from the log.
     *
     * @param roundTrip since it was sent; one that comes near the lease is about to cost the leadership
     */
    default void heartbeatRead(int partition, Duration roundTrip) {}

    /** This member has bid for a partition whose leader is silent, or that nobody leads. */
    default void bidSent(int partition) {}

    /**
     * This member has claimed the partition of another that had not resigned: usually one that has crashed. With
     * {@link Mode#NON_EXCLUSIVE} also in a planned handover.
     */
    default void takenOver(int partition) {}

    /** A piece of work has ended; work within it is part of it and not reported. */
    default void workEnded(String role, WorkOutcome outcome, Duration duration) {}

    /** Work was not admitted, because this member does not lead the role. */
    default void workSkipped(String role) {}

    /** A run of a job has ended on this member. */
    default void runEnded(String job, RunOutcome outcome, RunKind kind, Duration duration) {}

    /** A run of a job that was begun, perhaps by another member, and is not known to have ended is not repeated. */
    default void runAbandoned(String job) {}
}
