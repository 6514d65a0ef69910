package io.neli.protocol;

import java.time.Duration;

/**
 * Whether a member stands, and if not, why.
 *
 * @param candidate false for an observer
 * @param ready whether every log has been read to the end it had at the start
 * @param paused by the application
 * @param cooldownUntil the end of the cooldown after the application resigned
 * @param closing for good
 * @param conflict another agreement was met in the group
 */
public record Candidacy(
        boolean candidate,
        boolean ready,
        boolean paused,
        MonotonicTime cooldownUntil,
        boolean closing,
        boolean conflict) {

    static Candidacy initial(boolean candidate) {
        return new Candidacy(candidate, false, false, MonotonicTime.PAST, false, false);
    }

    /** Whether the member stands at that time. */
    public boolean standsAt(MonotonicTime now) {
        return candidate && ready && !paused && !closing && !conflict && now.hasReached(cooldownUntil);
    }

    RevokeReason reasonNotToStand() {
        if (closing) {
            return RevokeReason.CLOSING;
        }
        if (conflict) {
            return RevokeReason.CONFLICT;
        }
        return paused ? RevokeReason.PAUSED : RevokeReason.RESIGNED;
    }

    Candidacy nowReady() {
        return new Candidacy(candidate, true, paused, cooldownUntil, closing, conflict);
    }

    Candidacy nowClosing() {
        return new Candidacy(candidate, ready, paused, cooldownUntil, true, conflict);
    }

    /** A cooldown of nothing still lasts an instant, or a leader that resigns would not give up. */
    Candidacy coolingDown(MonotonicTime now, Duration cooldown) {
        MonotonicTime until = cooldown.isZero() ? now.plusNanos(1) : now.plus(cooldown);
        return new Candidacy(candidate, ready, paused, MonotonicTime.later(cooldownUntil, until), closing, conflict);
    }

    Candidacy withPaused(boolean byApplication) {
        return new Candidacy(candidate, ready, byApplication, cooldownUntil, closing, conflict);
    }

    Candidacy withConflict(boolean met) {
        return new Candidacy(candidate, ready, paused, cooldownUntil, closing, met);
    }
}
