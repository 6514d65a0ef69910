package io.neli.spring;

/**
 * This member leads: prepare. {@link io.neli.Neli#isLeader()} is already true; {@link LeaderOnly} methods start when the
 * listeners have returned. A listener that throws makes the member resign; the listeners after it are notified of the end only.
 */
public final class LeaderAcquiredEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    /**
     * An event for the given term.
     *
     * @param source the application context that publishes it
     * @param role the role
     * @param partition the partition of the leader topic that the role maps to
     * @param token the term's fencing token
     */
    public LeaderAcquiredEvent(Object source, String role, int partition, long token) {
        super(source, role, partition, token);
    }
}
