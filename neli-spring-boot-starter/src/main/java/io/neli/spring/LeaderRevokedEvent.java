package io.neli.spring;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;

/**
 * This member gives up leadership gracefully: finish up. {@link io.neli.Neli#isLeader()} is already false and no {@link
 * LeaderOnly} method starts. Nobody else leads before the listeners have returned and running methods have ended, or
 * the handover timeout has passed; then {@link LeaderFencedEvent} follows. With {@link io.neli.Mode#NON_EXCLUSIVE} the
 * next leader usually leads already.
 */
public final class LeaderRevokedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    /** The event as a listener in this application context is notified of it. */
    public LeaderRevokedEvent(Object source, LeaderRevoked event) {
        super(source, event);
    }

    /** Why. */
    public RevokeReason reason() {
        return ((LeaderRevoked) event).reason();
    }
}
