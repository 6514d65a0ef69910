package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows of one partition. Immutable.
 *
 * @param log what the log says; null until it is opened
 * @param bids the bids for the current term
 * @param ownTerm the term that this member has claimed
 * @param outgoing what this member has sent
 * @param ownership the consumer group's last assignment
 * @param eligibility whether this member is eligible for it
 * @param carried what is kept of a lost log
 * @param fenceHistory the consequences of earlier fences
 * @param wasEligible whether this member was eligible for it after the last step
 */
public record PartitionState(
        @Nullable LogView log,
        Bids bids,
        OwnTerm ownTerm,
        Outgoing outgoing,
        Ownership ownership,
        Eligibility eligibility,
        Carried carried,
        FenceHistory fenceHistory,
        boolean wasEligible) {

    static PartitionState initial(Eligibility eligibility) {
        return new PartitionState(
                null,
                Bids.NONE,
                OwnTerm.STANDBY,
                Outgoing.NONE,
                Ownership.NONE,
                eligibility,
                Carried.NONE,
                FenceHistory.NONE,
                false);
    }

    /** This member's state. */
    public State state() {
        return ownTerm.state();
    }

    /** The term that this member leads at that moment; {@link Term#NONE} if it does not lead. */
    public long leadingAt(Moment now) {
        return ownTerm.state() == State.LEADING && ownTerm.lease().holdsAt(now) ? ownTerm.token() : Term.NONE;
    }

    /** This member's lease; meaningless in STANDBY. */
    public Lease lease() {
        return ownTerm.lease();
    }

    /** How long this member's lease lasts after that moment; zero unless it is LEADING or DRAINING. */
    public Duration leaseLeftAt(Moment now) {
        return ownTerm.leads() ? ownTerm.lease().leftAt(now) : Duration.ZERO;
    }

    /** How long this member has led at that moment, at most until the end of its lease; zero unless it is LEADING. */
    public Duration ledFor(Moment now) {
        return ownTerm.ledFor(now.time());
    }

    /** The latest term in the log; null if none is known. */
    public @Nullable Term term() {
        return log == null ? null : log.term();
    }

    /** Whether that one of its logs is open. */
    public boolean isOpen(int number) {
        return log != null;
    }

    /** The next offset of that one of its logs that will be read; 0 while it is not open. */
    public long position(int number) {
        return log == null ? 0 : log.position();
    }

    /** The member that should lead, by the group's last assignment; null if there is none. */
    public @Nullable MemberHash owner() {
        return ownership.owner();
    }

    /** The term that any member leads at that moment, as far as this one knows; null if none does. */
    public @Nullable Term ledAt(Moment now, MemberId self) {
        if (log == null || log.observed() == null) {
            return null;
        }
        boolean led = log.isHeldBy(self)
                ? keepsLeading(log) && ownTerm.lease().holdsAt(now)
                : !log.resigned() && log.isLed() && !now.time().hasReached(log.holderBound());
        return led ? log.term() : null;
    }

    /** A non-exclusive leader keeps leading after it has resigned. */
    private boolean keepsLeading(LogView current) {
        return ownTerm.state() == State.LEADING || (ownTerm.state() == State.DRAINING && !current.resigned());
    }

    boolean caughtUp() {
        return log != null && log.caughtUp();
    }

    /** Whether a closing member has nothing left to wait for. */
    boolean isSettledAt(Moment now) {
        if (ownTerm.state() != State.STANDBY || outgoing.claim() != null) {
            return false;
        }
        boolean resignInFlight = log != null
                && log.observed() != null
                && !log.resigned()
                && outgoing.resigned() == log.termOffset()
                && ownTerm.lease().holdsAt(now);
        return !resignInFlight;
    }
}
