package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * This member's leadership of a partition, or its attempt at it.
 *
 * @param state LEADING or DRAINING, or else STANDBY
 * @param token the fencing token; while the member does not lead, that of its claims; {@link Term#NONE} if there are none
 * @param since when it began to lead
 * @param drainUntil when the handover times out
 * @param drained whether its work has ended
 * @param steppingDown whether it has resigned in non-exclusive mode, and keeps leading until another member does
 * @param logSet the latest set of logs that it has made in this term; null if none
 */
record OwnLeadership(
        State state,
        long token,
        MonotonicTime since,
        MonotonicTime drainUntil,
        boolean drained,
        boolean steppingDown,
        @Nullable LogSet logSet) {

    static final OwnLeadership NONE =
            new OwnLeadership(State.STANDBY, Term.NONE, MonotonicTime.NEVER, MonotonicTime.NEVER, false, false, null);

    boolean leads() {
        return state != State.STANDBY;
    }

    OwnLeadership claiming(long newToken) {
        return new OwnLeadership(state, newToken, since, drainUntil, drained, steppingDown, logSet);
    }

    OwnLeadership leading(MonotonicTime now) {
        return new OwnLeadership(State.LEADING, token, now, MonotonicTime.NEVER, false, false, null);
    }

    OwnLeadership nowSteppingDown() {
        return new OwnLeadership(state, token, since, drainUntil, drained, true, logSet);
    }

    OwnLeadership draining(MonotonicTime until) {
        return new OwnLeadership(State.DRAINING, token, since, until, false, steppingDown, logSet);
    }

    OwnLeadership workEnded() {
        return new OwnLeadership(state, token, since, drainUntil, true, steppingDown, logSet);
    }

    OwnLeadership withLogSet(@Nullable LogSet made) {
        return new OwnLeadership(state, token, since, drainUntil, drained, steppingDown, made);
    }
}
