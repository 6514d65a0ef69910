package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/** Everything a member knows about one log of a partition. Changes only within a step, see {@link PartitionState}. */
public final class LogState extends StepState {

    /** Which of the partition's logs it is, counted from zero. */
    final int number;

    LogView view = new LogView();
    Bids bids = Bids.NONE;
    /** Whether it counts towards the logs that a leader must hold, see {@link LogSet}. */
    boolean counts = true;

    // The term that this member has claimed.

    /** The offset of its claim; {@link Term#NONE} if none. */
    long ownTerm = Term.NONE;
    /** Whether all earlier leases are over, so that no other member holds the log while this member's lease lasts. */
    boolean held;
    /** The largest token in the log before its claim. */
    private long tokenBefore = Term.NONE;
    /** The largest token in its own effective records that were read back. */
    private long tokenRead = Term.NONE;
    /** Starts when its latest effective record that was read back was sent. Until it is over, the log is not vacant. */
    Lease lease = Lease.OVER;
    /** When its claim was read. */
    MonotonicTime claimedAt = MonotonicTime.NEVER;
    /** When its next heartbeat is due. */
    MonotonicTime heartbeatAt = MonotonicTime.NEVER;
    /** The latest heartbeat in which another member names this term as its own; null if none. */
    LogRecord.@Nullable Heartbeat contradiction;

    // What this member has sent.

    Outgoing outgoing = Outgoing.NONE;
    /** Its claim, until that is read back; null if none. */
    Outgoing.@Nullable Sent claim;
    /** The latest term that it has resigned, even if not read back yet; {@link Term#NONE} if none. */
    long resigned = Term.NONE;
    /** When it sent its first record after it last read one of its own; NEVER if it has sent none since. */
    MonotonicTime unansweredSince = MonotonicTime.NEVER;

    // What has followed from the group's last assignment.

    /** Whether the owner has lost a term to another member since; the owner may be dead. */
    boolean ownerSuperseded;
    /** When this member, as the owner, last asked the leader to hand over. */
    MonotonicTime askedAt = MonotonicTime.PAST;
    /** Whether it has read its own bid since, and no claim. */
    boolean readOwnBid;

    LogState(int number) {
        this.number = number;
    }

    LogState copy() {
        LogState copy = (LogState) clone();
        copy.view = view.copy();
        return copy;
    }

    /** The group finished another assignment, or the last one is no longer known. */
    void forgetAssignment() {
        ownerSuperseded = false;
        askedAt = MonotonicTime.PAST;
        readOwnBid = false;
    }

    /** Its claim was read, which has ended any earlier term. */
    void claimed(long offset, long largestBefore, long token, Lease granted, MonotonicTime now) {
        ownTerm = offset;
        tokenBefore = largestBefore;
        tokenRead = token;
        lease = granted;
        claimedAt = now;
        heartbeatAt = now;
    }

    /** A record of the term was read back. */
    void renewed(Lease granted, long token) {
        lease = lease.until().hasReached(granted.until()) ? lease : granted;
        tokenRead = Math.max(tokenRead, token);
    }

    /** Forgets the term, but keeps the lease. */
    void dropTerm() {
        ownTerm = Term.NONE;
        held = false;
        tokenBefore = Term.NONE;
        tokenRead = Term.NONE;
        claimedAt = MonotonicTime.NEVER;
        heartbeatAt = MonotonicTime.NEVER;
        contradiction = null;
    }

    /** Forgets the log, but not how long the leases that it granted may last. Records sent to it renew no lease. */
    void lost() {
        view = view.open ? view.lost() : view;
        bids = Bids.NONE;
        outgoing = outgoing.forgotten();
        claim = null;
        resigned = Term.NONE;
        unansweredSince = MonotonicTime.NEVER;
    }

    /** Whether this member has claimed it, and the term has not ended. */
    boolean isClaimed() {
        return ownTerm != Term.NONE;
    }

    /** Whether a record was read back that carries the token, larger than every token before the claim. */
    boolean carries(long token) {
        return tokenRead == token && token > tokenBefore;
    }

    /** Whether this member's term is current and not resigned. Otherwise none of its records renews its lease. */
    boolean isCurrent() {
        return isClaimed() && view.termOffset() == ownTerm && !view.resigned() && resigned != ownTerm;
    }

    /** Whether this member has written, and read none of its own records since: the log is slow or does not work. */
    boolean awaitsAnswer() {
        return !unansweredSince.equals(MonotonicTime.NEVER);
    }

    public boolean isOpen() {
        return view.open;
    }

    /** The next offset that will be read; 0 while the log is not open. */
    public long position() {
        return view.position;
    }

    /** The latest term in the log; null if none is known. */
    public @Nullable Term term() {
        return view.term;
    }

    /** This member's lease on the log; meaningless while it does not hold it. */
    public Lease lease() {
        return lease;
    }

    /** Whether this member holds the log at that moment. */
    public boolean isHeldAt(Moment now) {
        return held && lease.holdsAt(now);
    }

    /** The member that holds the log at that moment, or waits to, as far as this one knows; null if none does. */
    public @Nullable MemberId holderAt(Moment now, MemberId self) {
        boolean held = view.isHeldBy(self)
                ? isClaimed() && lease.holdsAt(now)
                : !now.time().hasReached(view.holderBound);
        return held ? view.unresignedHolder() : null;
    }

    /** Whether another member reports in this log that it leads the partition, at that moment. */
    boolean isLedByAnother(MemberId self, MonotonicTime now) {
        return view.led && !view.resigned() && !view.isHeldBy(self) && !now.hasReached(view.holderBound);
    }

    /** Whether a resignation of this member may still be in flight. */
    boolean resignInFlight(Moment now) {
        return !view.resigned() && resigned == view.termOffset() && lease.holdsAt(now);
    }

    /** Whether the log is not free yet, and this member resigns it when the fenced work of that term has ended. */
    boolean awaitsWork(long term, Moment now) {
        return term != Term.NONE && term == view.token() && !view.resigned() && lease.holdsAt(now);
    }
}
