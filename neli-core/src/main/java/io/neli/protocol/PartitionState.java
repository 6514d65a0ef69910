package io.neli.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows of one partition; immutable.
 *
 * @param log what the log says; null until it is opened
 * @param bids who wants to follow the current term
 * @param tenure this member's own part in it
 * @param outgoing what this member has sent
 * @param ownership what the consumer group says
 * @param candidacy whether this member stands
 * @param beforeGap what is still to be waited for of a log that was lost
 * @param fences what the fences of its own terms have left behind
 * @param stood whether it stood when it last looked
 */
public record PartitionState(
        @Nullable LogView log,
        Bids bids,
        Tenure tenure,
        Outgoing outgoing,
        Ownership ownership,
        Candidacy candidacy,
        BeforeGap beforeGap,
        Fences fences,
        boolean stood) {

    static PartitionState initial(Candidacy candidacy) {
        return new PartitionState(
                null,
                Bids.NONE,
                Tenure.STANDBY,
                Outgoing.NONE,
                Ownership.NONE,
                candidacy,
                BeforeGap.NONE,
                Fences.NONE,
                false);
    }

    /** STANDBY, CLAIMED, LEADING or DRAINING. */
    public State state() {
        return tenure.state();
    }

    /** The term that this member leads at that moment; {@link Term#NONE} if it does not lead. */
    public long leadingAt(Moment now) {
        return tenure.state() == State.LEADING && tenure.lease().holdsAt(now) ? tenure.token() : Term.NONE;
    }

    /** This member's lease; meaningful while {@link #state()} is not STANDBY. */
    public Lease lease() {
        return tenure.lease();
    }

    /** How long this member's lease still lasts at that moment; zero unless it is LEADING or DRAINING. */
    public Duration leaseLeftAt(Moment now) {
        return tenure.leads() ? tenure.lease().leftAt(now) : Duration.ZERO;
    }

    /** For how long this member has led its term at that moment, by its lease; zero unless it is LEADING. */
    public Duration ledFor(Moment now) {
        return tenure.ledFor(now.time());
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
        if (log == null || log.holding() == null) {
            return null;
        }
        boolean led = log.isHeldBy(self)
                ? keepsLead(log) && tenure.lease().holdsAt(now)
                : !log.resigned() && log.isLed() && !now.time().hasReached(log.holderBound());
        return led ? log.term() : null;
    }

    /** In non-exclusive mode also after it has resigned. */
    private boolean keepsLead(LogView current) {
        return tenure.state() == State.LEADING || (tenure.state() == State.DRAINING && !current.resigned());
    }

    boolean caughtUp() {
        return log != null && log.caughtUp();
    }

    /** Whether nothing of this member is left that a closing member should wait for. */
    boolean isSettledAt(Moment now) {
        if (tenure.state() != State.STANDBY || outgoing.claim() != null) {
            return false;
        }
        boolean resignOnItsWay = log != null
                && log.holding() != null
                && !log.resigned()
                && outgoing.resigned() == log.token()
                && tenure.lease().holdsAt(now);
        return !resignOnItsWay;
    }
}
