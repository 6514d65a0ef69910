package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows of one partition; immutable.
 *
 * @param log what the log says; null until it is opened
 * @param bids who wants to follow the current term
 * @param ownTerm this member's own part in it
 * @param outgoing what this member has sent
 * @param ownership what the consumer group says
 * @param eligibility whether this member stands
 * @param carriedLeases what is still to be waited for of a log that was lost
 * @param fenceHistory what the fences of its own terms have left behind
 * @param wasEligible whether it stood when it last looked
 */
public record PartitionState(
        @Nullable LogView log,
        Bids bids,
        OwnTerm ownTerm,
        Outgoing outgoing,
        Ownership ownership,
        Eligibility eligibility,
        CarriedLeases carriedLeases,
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
                CarriedLeases.NONE,
                FenceHistory.NONE,
                false);
    }

    /** STANDBY, CLAIMED, LEADING or DRAINING. */
    public State state() {
        return ownTerm.state();
    }

    /** The term that this member leads at that moment; {@link Term#NONE} if it does not lead. */
    public long leadingAt(Moment now) {
        return ownTerm.state() == State.LEADING && ownTerm.lease().holdsAt(now) ? ownTerm.token() : Term.NONE;
    }

    /** This member's lease; meaningful while {@link #state()} is not STANDBY. */
    public Lease lease() {
        return ownTerm.lease();
    }

    /** How long this member's lease still lasts at that moment; zero unless it is LEADING or DRAINING. */
    public Duration leaseLeftAt(Moment now) {
        return ownTerm.leads() ? ownTerm.lease().leftAt(now) : Duration.ZERO;
    }

    /** For how long this member has led its term at that moment, by its lease; zero unless it is LEADING. */
    public Duration ledFor(Moment now) {
        return ownTerm.ledFor(now.time());
    }

    /** The latest term in the log; null if none is known. */
    public @Nullable Term term() {
        return log == null ? null : log.term();
    }

    /** The next offset that will be read; 0 while the log is not open. */
    public long position() {
        return log == null ? 0 : log.position();
    }

    /** The owner by the group's last assignment. */
    public @Nullable MemberId owner() {
        return ownership.owner();
    }

    /** The term that is led at that moment, by whomever, as far as this member knows; null if none is. */
    public @Nullable Term ledAt(Moment now, MemberId self) {
        if (log == null || log.observed() == null) {
            return null;
        }
        boolean led = log.isHeldBy(self)
                ? keepsLeading(log) && ownTerm.lease().holdsAt(now)
                : !log.resigned() && log.isLed() && !now.time().hasReached(log.holderBound());
        return led ? log.term() : null;
    }

    /** In non-exclusive mode also after it has resigned. */
    private boolean keepsLeading(LogView current) {
        return ownTerm.state() == State.LEADING || (ownTerm.state() == State.DRAINING && !current.resigned());
    }

    boolean caughtUp() {
        return log != null && log.caughtUp();
    }

    /** Whether nothing of this member is left that a closing member should wait for. */
    boolean isSettledAt(Moment now) {
        if (ownTerm.state() != State.STANDBY || outgoing.claim() != null) {
            return false;
        }
        boolean resignOnItsWay = log != null
                && log.observed() != null
                && !log.resigned()
                && outgoing.resigned() == log.token()
                && ownTerm.lease().holdsAt(now);
        return !resignOnItsWay;
    }
}
