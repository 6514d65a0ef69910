package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * Where an instance stands with a role.
 *
 * @param token of its own term; null unless it has one, or had one until it was fenced
 * @param leaseLeft in milliseconds; null unless it is LEADING or DRAINING
 */
public record RoleState(String role, State state, @Nullable Long token, @Nullable Long leaseLeft) {

    /** What a lane shows. */
    public enum State {
        LEADING,
        CLAIMED,
        DRAINING,
        /** For some seconds, or until it claims again. */
        FENCED,
        STANDBY,
        /** There is no process that could tell. */
        NONE;

        boolean hasTerm() {
            return this == LEADING || this == CLAIMED || this == DRAINING;
        }

        boolean hasLease() {
            return this == LEADING || this == DRAINING;
        }
    }

    static RoleState none(String role) {
        return new RoleState(role, State.NONE, null, null);
    }
}
