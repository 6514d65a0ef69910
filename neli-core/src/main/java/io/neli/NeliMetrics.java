package io.neli;

import java.time.Duration;

/**
 * Receives measurements. Pass an implementation to {@link NeliBuilder#metrics}, and override what you count. The
 * current state, such as who leads or how long a lease still lasts, is in {@link Neli#snapshot()}.
 *
 * <p>Threads of the election and of work call the methods, even concurrently. A method must return immediately.
 * Exceptions are logged and change nothing. One recipient serves all starts of an election.
 */
public interface NeliMetrics {

    /** How a piece of {@linkplain Neli#beginWork() work} ended. */
    enum WorkOutcome {
        /** During its term. */
        EXECUTED,
        /** After its term was revoked: the handover waited for it. */
        DRAINED,
        /** After its term was fenced, which interrupts work unless {@link NeliBuilder#interruptOnFence} is off. */
        INTERRUPTED
    }

    /** How a run of a {@link Job} ended. */
    enum RunOutcome {
        SUCCEEDED,
        /** It threw an exception, so it has ended and is not repeated. */
        FAILED,
        /** It threw after its lease was over, so it does not count as ended. */
        INTERRUPTED
    }

    /** Why a run of a {@link Job} was due. */
    enum RunKind {
        ON_TIME,
        /** Nobody led at its time, or its leader did not begin it. */
        MADE_UP,
        /** A run for the same time began before and is not known to have ended. */
        REPEATED
    }

    /** This member's leadership has changed. Called before the listeners are notified, with the same events. */
    default void changed(LeaderEvent event) {}

    /**
     * A handover of this member is complete: the listeners have returned from the {@link LeaderEvent.LeaderRevoked} of
     * that term, and its work has ended. Not called if a fence came first.
     */
    default void handedOver(int partition, long token) {}

    /**
     * A heartbeat of this member was read back from the log.
     *
     * @param roundTrip the time since it was sent; if it comes near the lease, this member is about to lose leadership
     */
    default void heartbeatRead(int partition, Duration roundTrip) {}

    /** This member has bid for a partition: its leader is silent or should hand over, or nobody leads it. */
    default void bidSent(int partition) {}

    /**
     * This member has claimed the partition of another that had not resigned, usually because it crashed. With {@link
     * Mode#NON_EXCLUSIVE}, a planned handover also counts.
     */
    default void takenOver(int partition) {}

    /** A piece of work has ended. Work within it is part of it and is not reported. */
    default void workEnded(String role, WorkOutcome outcome, Duration duration) {}

    /** Work did not begin, because this member does not lead the role. */
    default void workSkipped(String role) {}

    /** A run of a job has ended on this member. */
    default void runEnded(String job, RunOutcome outcome, RunKind kind, Duration duration) {}

    /** A run of a job began, perhaps on another member, is not known to have ended, and is not repeated. */
    default void runAbandoned(String job) {}
}
