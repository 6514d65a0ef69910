package io.neli.spring;

import io.neli.LeaderEvent.RevokeReason;

/**
 * This member gives up leadership gracefully: finish up. {@link io.neli.Neli#isLeader()} is already false and no
 * {@link LeaderOnly} method starts. Nobody else leads before the listeners have returned and running methods have ended, or the
 * handover timeout has passed; then {@link LeaderFencedEvent} follows. With {@link io.neli.Mode#NON_EXCLUSIVE} the next leader
 * usually leads already.
 */
public final class LeaderRevokedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    private final RevokeReason reason;

    /**
     * An event for the given term.
     *
     * @param source the application context that publishes it
     * @param role the role
     * @param partition the partition of the leader topic that the role maps to
     * @param token the term's fencing token
     * @param reason why
     */
    public LeaderRevokedEvent(Object source, String role, int partition, long token, RevokeReason reason) {
        super(source, role, partition, token);
        this.reason = reason;
    }

    /** Why. */
    public RevokeReason reason() {
        return reason;
    }

    @Override
    String description() {
        return super.description() + ", reason=" + reason;
    }
}
