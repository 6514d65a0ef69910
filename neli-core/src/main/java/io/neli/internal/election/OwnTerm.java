package io.neli.internal.election;

import java.time.Duration;

/**
 * The term that this member has claimed.
 *
 * @param state this member's state
 * @param offset the term; {@link Term#NONE} in STANDBY
 * @param token its fencing token; {@link Term#NONE} in STANDBY
 * @param tokenRead whether a record was read back that carries the token, larger than every token before the claim
 * @param lease its lease, which runs from the sending of its latest effective record that was read back
 * @param since when it began to lead
 * @param heartbeatAt when its next heartbeat is due
 * @param drainUntil when the handover times out
 * @param drained whether its work has ended
 */
record OwnTerm(
        State state,
        long offset,
        long token,
        boolean tokenRead,
        Lease lease,
        MonotonicTime since,
        MonotonicTime heartbeatAt,
        MonotonicTime drainUntil,
        boolean drained) {

    static final OwnTerm STANDBY = new OwnTerm(
            State.STANDBY,
            Term.NONE,
            Term.NONE,
            false,
            Lease.OVER,
            MonotonicTime.NEVER,
            MonotonicTime.NEVER,
            MonotonicTime.NEVER,
            false);

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

    static OwnTerm claimed(long offset, long token, boolean tokenRead, Lease lease, MonotonicTime now) {
        return new OwnTerm(
                State.CLAIMED, offset, token, tokenRead, lease, MonotonicTime.NEVER, now, MonotonicTime.NEVER, false);
    }

    OwnTerm leading(MonotonicTime now) {
        return new OwnTerm(State.LEADING, offset, token, tokenRead, lease, now, now, MonotonicTime.NEVER, false);
    }

    OwnTerm draining(MonotonicTime until) {
        return new OwnTerm(State.DRAINING, offset, token, tokenRead, lease, since, heartbeatAt, until, false);
    }

    OwnTerm workEnded() {
        return new OwnTerm(state, offset, token, tokenRead, lease, since, heartbeatAt, drainUntil, true);
    }

    /** A record of this term was read back. */
    OwnTerm renewed(Lease newer, long tokenInRecord) {
        boolean read = tokenRead || tokenInRecord == token;
        Lease renewed = Lease.newer(lease, newer);
        return new OwnTerm(state, offset, token, read, renewed, since, heartbeatAt, drainUntil, drained);
    }

    OwnTerm withLease(Lease other) {
        return new OwnTerm(state, offset, token, tokenRead, other, since, heartbeatAt, drainUntil, drained);
    }

    OwnTerm heartbeatAt(MonotonicTime due) {
        return new OwnTerm(state, offset, token, tokenRead, lease, since, due, drainUntil, drained);
    }
}
