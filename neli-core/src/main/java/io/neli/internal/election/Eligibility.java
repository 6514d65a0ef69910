package io.neli.internal.election;

import io.neli.LeaderEvent.RevokeReason;

/**
 * Whether a member is eligible, in general or for one partition, and if not, why.
 *
 * @param candidate false for an observer
 * @param ready true once one partition has been read, and no log that was opened less than a lease ago is unread
 * @param restraint what the application has asked for
 * @param closing whether the member is closing
 * @param conflict what keeps it from leading next to the others
 */
public record Eligibility(boolean candidate, boolean ready, Restraint restraint, boolean closing, Conflict conflict) {

    public boolean isEligibleAt(MonotonicTime now) {
        return candidate && ready && !closing && !conflict.isOfSeveral() && !restraint.holdsAt(now);
    }

    RevokeReason reasonNotEligible() {
        if (closing) {
            return RevokeReason.CLOSING;
        }
        if (conflict.isOfSeveral()) {
            return RevokeReason.CONFLICT;
        }
        return restraint.paused() || !candidate ? RevokeReason.PAUSED : RevokeReason.RESIGNED;
    }

    Eligibility withCandidate(boolean byApplication) {
        return new Eligibility(byApplication, ready, restraint, closing, conflict);
    }

    Eligibility nowReady() {
        return new Eligibility(candidate, true, restraint, closing, conflict);
    }

    Eligibility withRestraint(Restraint other) {
        return new Eligibility(candidate, ready, other, closing, conflict);
    }

    Eligibility nowClosing() {
        return new Eligibility(candidate, ready, restraint, true, conflict);
    }

    Eligibility withConflict(Conflict other) {
        return new Eligibility(candidate, ready, restraint, closing, other);
    }
}
