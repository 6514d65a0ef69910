package io.neli.protocol;

/**
 * This member's own part in the current term.
 *
 * @param state what it is
 * @param lease its own lease: runs from the sending of its latest effective record that it has read back
 * @param heartbeatAt when its next heartbeat is due
 * @param drainUntil when the handover times out
 * @param drained whether its work has ended
 */
record Tenure(State state, Lease lease, MonotonicTime heartbeatAt, MonotonicTime drainUntil, boolean drained) {

    static final Tenure STANDBY =
            new Tenure(State.STANDBY, Lease.OVER, MonotonicTime.NEVER, MonotonicTime.NEVER, false);

    boolean leads() {
        return state == State.LEADING || state == State.DRAINING;
    }

    Tenure standby() {
        return new Tenure(State.STANDBY, lease, MonotonicTime.NEVER, MonotonicTime.NEVER, false);
    }

    Tenure claimed(MonotonicTime now) {
        return new Tenure(State.CLAIMED, lease, now, MonotonicTime.NEVER, false);
    }

    Tenure leading(MonotonicTime now) {
        return new Tenure(State.LEADING, lease, now, MonotonicTime.NEVER, false);
    }

    Tenure draining(MonotonicTime until) {
        return new Tenure(State.DRAINING, lease, heartbeatAt, until, false);
    }

    Tenure workEnded() {
        return new Tenure(state, lease, heartbeatAt, drainUntil, true);
    }

    Tenure renewed(Lease newer) {
        return new Tenure(state, Lease.newer(lease, newer), heartbeatAt, drainUntil, drained);
    }

    /** A new term begins with a lease of its own. */
    Tenure withLease(Lease other) {
        return new Tenure(state, other, heartbeatAt, drainUntil, drained);
    }

    Tenure heartbeatAt(MonotonicTime due) {
        return new Tenure(state, lease, due, drainUntil, drained);
    }
}
