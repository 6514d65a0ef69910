package io.neli.internal.election;

import java.time.Duration;

import io.neli.LeaderEvent.RevokeReason;

/**
 * Whether a member is eligible, and if not, why.
 *
 * @param candidate false for an observer
 * @param ready whether at least one log was open, and every open one had been read to the end that it had when opened, or had
 *     been open for a lease
 * @param paused whether the application has paused the member
 * @param cooldownUntil the end of the cooldown after the application resigned
 * @param closing whether the member is closing
 * @param conflict what keeps it from leading next to the others
 */
public record Eligibility(
        boolean candidate,
        boolean ready,
        boolean paused,
        MonotonicTime cooldownUntil,
        boolean closing,
        Conflict conflict) {

    static Eligibility initial(boolean candidate) {
        return new Eligibility(candidate, false, false, MonotonicTime.PAST, false, Conflict.NONE);
    }

    public boolean isEligibleAt(MonotonicTime now) {
        return candidate && ready && !paused && !closing && conflict == Conflict.NONE && now.hasReached(cooldownUntil);
    }

    RevokeReason reasonNotEligible() {
        if (closing) {
            return RevokeReason.CLOSING;
        }
        if (conflict != Conflict.NONE) {
            return RevokeReason.CONFLICT;
        }
        return paused ? RevokeReason.PAUSED : RevokeReason.RESIGNED;
    }

    Eligibility nowReady() {
        return new Eligibility(candidate, true, paused, cooldownUntil, closing, conflict);
    }

    Eligibility nowClosing() {
        return new Eligibility(candidate, ready, paused, cooldownUntil, true, conflict);
    }

    /** A cooldown of zero still lasts a nanosecond; otherwise a leader that resigns would not step down. */
    Eligibility coolingDown(MonotonicTime now, Duration cooldown) {
        MonotonicTime until = cooldown.isZero() ? now.plusNanos(1) : now.plus(cooldown);
        return new Eligibility(candidate, ready, paused, MonotonicTime.later(cooldownUntil, until), closing, conflict);
    }

    Eligibility withPaused(boolean byApplication) {
        return new Eligibility(candidate, ready, byApplication, cooldownUntil, closing, conflict);
    }

    Eligibility withConflict(Conflict other) {
        return new Eligibility(candidate, ready, paused, cooldownUntil, closing, other);
    }
}
