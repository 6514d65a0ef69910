package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows of one log of a partition. Immutable.
 *
 * @param view what the log says; null until it is opened
 * @param bids the bids for the current term
 * @param ownTerm the term that this member has claimed
 * @param outgoing what this member has sent
 * @param ownership the consumer group's last assignment of the partition
 * @param carried what is kept of a lost log
 * @param counts whether a member that holds it may lead by it, see {@link LogSet}
 * @param unansweredSince when the first of this member's records was sent, since it last read one of them; NEVER if there is none
 */
public record LogState(
        @Nullable LogView view,
        Bids bids,
        OwnTerm ownTerm,
        Outgoing outgoing,
        Ownership ownership,
        Carried carried,
        boolean counts,
        MonotonicTime unansweredSince) {

    static final LogState INITIAL = new LogState(
            null, Bids.NONE, OwnTerm.NONE, Outgoing.NONE, Ownership.NONE, Carried.NONE, true, MonotonicTime.NEVER);

    /** Whether the log is open. */
    public boolean isOpen() {
        return view != null;
    }

    /** The next offset that will be read; 0 while the log is not open. */
    public long position() {
        return view == null ? 0 : view.position();
    }

    /** The latest term in the log; null if none is known. */
    public @Nullable Term term() {
        return view == null ? null : view.term();
    }

    /** This member's lease on the log; meaningless while it does not hold it. */
    public Lease lease() {
        return ownTerm.lease();
    }

    /** Whether this member holds the log at that moment. */
    public boolean isHeldAt(Moment now) {
        return ownTerm.isHeld() && ownTerm.lease().holdsAt(now);
    }

    /** The member that holds the log at that moment, or waits to, as far as this one knows; null if none does. */
    public @Nullable MemberId holderAt(Moment now, MemberId self) {
        Term term = term();
        if (view == null || term == null || term.resigned()) {
            return null;
        }
        boolean held = view.isHeldBy(self)
                ? ownTerm.exists() && ownTerm.lease().holdsAt(now)
                : !now.time().hasReached(view.holderBound());
        return held ? term.holder() : null;
    }

    boolean caughtUp() {
        return view != null && view.caughtUp();
    }

    /** Whether another member reports in this log that it leads the partition, at that moment. */
    boolean isLedByAnother(MemberId self, MonotonicTime now) {
        return view != null
                && view.isLed()
                && !view.resigned()
                && !view.isHeldBy(self)
                && !now.hasReached(view.holderBound());
    }

    /** Whether a resignation of this member may still be under way. */
    boolean resignInFlight(Moment now) {
        return view != null
                && view.observed() != null
                && !view.resigned()
                && outgoing.resigned() == view.termOffset()
                && ownTerm.lease().holdsAt(now);
    }
}
