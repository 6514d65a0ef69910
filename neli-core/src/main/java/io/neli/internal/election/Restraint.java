package io.neli.internal.election;

import java.time.Duration;

/**
 * Whether the application keeps a member from being eligible, in general or for one partition.
 *
 * @param paused whether it was paused, and not resumed
 * @param cooldownUntil the end of the cooldown after it resigned
 */
public record Restraint(boolean paused, MonotonicTime cooldownUntil) {

    static final Restraint NONE = new Restraint(false, MonotonicTime.PAST);

    boolean holdsAt(MonotonicTime now) {
        return paused || !now.hasReached(cooldownUntil);
    }

    Restraint and(Restraint other) {
        return new Restraint(paused || other.paused, MonotonicTime.later(cooldownUntil, other.cooldownUntil));
    }

    /** A cooldown of zero still lasts a nanosecond; otherwise a leader that resigns would not step down. */
    Restraint coolingDown(MonotonicTime now, Duration cooldown) {
        MonotonicTime until = cooldown.isZero() ? now.plusNanos(1) : now.plus(cooldown);
        return new Restraint(paused, MonotonicTime.later(cooldownUntil, until));
    }

    Restraint nowPaused() {
        return new Restraint(true, cooldownUntil);
    }
}
