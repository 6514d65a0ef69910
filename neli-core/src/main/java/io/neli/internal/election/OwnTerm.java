package io.neli.internal.election;

import java.time.Duration;

/**
 * The term that this member has claimed.
 *
 * @param state this member's state
 * @param token the term; {@link Term#NONE} in STANDBY
 * @param lease its lease, which runs from the sending of its latest effective record that was read back
 * @param since when it began to lead
 * @param heartbeatAt when its next heartbeat is due
 * @param drainUntil when the handover times out
 * @param drained whether its work has ended
 */
record OwnTerm(
        State state,
        long token,
        Lease lease,
        MonotonicTime since,
        MonotonicTime heartbeatAt,
        MonotonicTime drainUntil,
        boolean drained) {

    static final OwnTerm STANDBY = new OwnTerm(
            State.STANDBY, Term.NONE, Lease.OVER, MonotonicTime.NEVER, MonotonicTime.NEVER, MonotonicTime.NEVER, false);

    boolean leads() {
        return state == State.LEADING || state == State.DRAINING;
    }

    /** How long it has led, at most until the end of its lease; zero unless it is LEADING. */
    Duration ledFor(MonotonicTime now) {
        return state == State.LEADING ? since.until(MonotonicTime.earlier(now, lease.until())) : Duration.ZERO;
    }

    /** Keeps the lease: until it is over, the partition is not vacant. */
    OwnTerm standby() {
        return STANDBY.withLease(lease);
    }

    static OwnTerm claimed(long token, Lease lease, MonotonicTime now) {
        return new OwnTerm(State.CLAIMED, token, lease, MonotonicTime.NEVER, now, MonotonicTime.NEVER, false);
    }

    OwnTerm leading(MonotonicTime now) {
        return new OwnTerm(State.LEADING, token, lease, now, now, MonotonicTime.NEVER, false);
    }

    OwnTerm draining(MonotonicTime until) {
        return new OwnTerm(State.DRAINING, token, lease, since, heartbeatAt, until, false);
    }

    OwnTerm workEnded() {
        return new OwnTerm(state, token, lease, since, heartbeatAt, drainUntil, true);
    }

    OwnTerm renewed(Lease newer) {
        return withLease(Lease.newer(lease, newer));
    }

    OwnTerm withLease(Lease other) {
        return new OwnTerm(state, token, other, since, heartbeatAt, drainUntil, drained);
    }

    OwnTerm heartbeatAt(MonotonicTime due) {
        return new OwnTerm(state, token, lease, since, due, drainUntil, drained);
    }
}
