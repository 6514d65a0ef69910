package io.neli.spring;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;

/**
 * Published when this member gives up leadership gracefully: finish up. {@link io.neli.Neli#isLeader()} is already
 * false and no {@link LeaderOnly} method starts. Nobody else leads before the listeners have returned and running
 * methods have ended. If the handover timeout or the lease is over first, {@link LeaderFencedEvent} follows. With
 * {@link io.neli.Mode#NON_EXCLUSIVE} the next leader usually leads already.
 */
public final class LeaderRevokedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    public LeaderRevokedEvent(Object source, LeaderRevoked event) {
        super(source, event);
    }

    /** Why this member gives up leadership. */
    public RevokeReason reason() {
        return ((LeaderRevoked) event).reason();
    }
}
