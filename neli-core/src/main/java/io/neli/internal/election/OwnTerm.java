package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * The term of one log that this member has claimed.
 *
 * @param hold whether it holds the log
 * @param offset the term; {@link Term#NONE} if it has none
 * @param tokenBefore the largest token in the log before its claim
 * @param tokenRead the largest token in its own effective records that were read back
 * @param lease its lease, which runs from the sending of its latest effective record that was read back
 * @param claimedAt when its claim was read
 * @param heartbeatAt when its next heartbeat is due
 * @param contradiction the latest heartbeat of another member that names this term as its own; null if there is none
 */
record OwnTerm(
        Hold hold,
        long offset,
        long tokenBefore,
        long tokenRead,
        Lease lease,
        MonotonicTime claimedAt,
        MonotonicTime heartbeatAt,
        LogRecord.@Nullable Heartbeat contradiction) {

    static final OwnTerm NONE = new OwnTerm(
            Hold.NONE, Term.NONE, Term.NONE, Term.NONE, Lease.OVER, MonotonicTime.NEVER, MonotonicTime.NEVER, null);

    boolean exists() {
        return hold != Hold.NONE;
    }

    boolean isHeld() {
        return hold == Hold.HELD;
    }

    /** Whether a record was read back that carries the token, larger than every token before the claim. */
    boolean carries(long token) {
        return tokenRead == token && token > tokenBefore;
    }

    /** Keeps the lease: until it is over, the log is not vacant. */
    OwnTerm dropped() {
        return NONE.withLease(lease);
    }

    static OwnTerm claimed(long offset, long tokenBefore, long token, Lease lease, MonotonicTime now) {
        return new OwnTerm(Hold.CLAIMED, offset, tokenBefore, token, lease, now, now, null);
    }

    OwnTerm held() {
        return new OwnTerm(Hold.HELD, offset, tokenBefore, tokenRead, lease, claimedAt, heartbeatAt, contradiction);
    }

    /** A record of this term was read back. */
    OwnTerm renewed(Lease newer, long token) {
        Lease renewed = Lease.newer(lease, newer);
        return new OwnTerm(
                hold, offset, tokenBefore, Math.max(tokenRead, token), renewed, claimedAt, heartbeatAt, contradiction);
    }

    OwnTerm withLease(Lease other) {
        return new OwnTerm(hold, offset, tokenBefore, tokenRead, other, claimedAt, heartbeatAt, contradiction);
    }

    OwnTerm heartbeatAt(MonotonicTime due) {
        return new OwnTerm(hold, offset, tokenBefore, tokenRead, lease, claimedAt, due, contradiction);
    }

    OwnTerm contradictedBy(LogRecord.Heartbeat another) {
        return new OwnTerm(hold, offset, tokenBefore, tokenRead, lease, claimedAt, heartbeatAt, another);
    }
}
