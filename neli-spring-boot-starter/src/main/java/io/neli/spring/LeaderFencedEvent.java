package io.neli.spring;

import io.neli.LeaderEvent.FenceReason;

/** This member no longer leads, and another may lead already: stop now. Running {@link LeaderOnly} methods are interrupted. */
public final class LeaderFencedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    private final FenceReason reason;

    /**
     * An event for the given term.
     *
     * @param source the application context that publishes it
     * @param role the role
     * @param partition the partition of the leader topic that the role maps to
     * @param token the term's fencing token
     * @param reason why
     */
    public LeaderFencedEvent(Object source, String role, int partition, long token, FenceReason reason) {
        super(source, role, partition, token);
        this.reason = reason;
    }

    /** Why. */
    public FenceReason reason() {
        return reason;
    }

    @Override
    String description() {
        return super.description() + ", reason=" + reason;
    }
}
