package io.neli.spring;

/**
 * This member leads: prepare. {@link io.neli.Neli#isLeader()} is true already; {@link LeaderOnly} methods start when the
 * listeners have returned. A listener that throws makes the member resign, and the listeners after it, which may rely on what it
 * was to prepare, hear only of the end.
 */
public final class LeaderAcquiredEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    /**
     * An event for the given term.
     *
     * @param source who publishes it
     * @param role the role
     * @param partition the partition of the leader topic that the role lies on
     * @param token the term's fencing token
     */
    public LeaderAcquiredEvent(Object source, String role, int partition, long token) {
        super(source, role, partition, token);
    }
}
