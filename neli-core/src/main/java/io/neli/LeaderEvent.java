package io.neli;

/**
 * A change of this member's leadership. Each term begins with {@link LeaderAcquired}. It ends with {@link
 * LeaderRevoked}, with {@link LeaderFenced}, or with {@code LeaderRevoked} followed by {@code LeaderFenced}. Events are
 * never merged or left out.
 *
 * <p>Roles that map to one partition share its terms and tokens. Each event is delivered once for every listed role of
 * the partition, in the order of the list. If no listed role maps to the partition, the event is delivered for {@link
 * Neli#DEFAULT_ROLE} on partition 0, and for {@code partition-N} on any other.
 */
public sealed interface LeaderEvent {

    /** The role that this member leads or led. */
    String role();

    /** The partition of the leader topic that the role maps to. */
    int partition();

    /** The term's fencing token. */
    long token();

    /**
     * This member leads: prepare. {@link Neli#isLeader()} is already true; {@linkplain Neli#beginWork() work} starts
     * when the listeners have returned. A listener that throws makes the member resign.
     */
    record LeaderAcquired(String role, int partition, long token) implements LeaderEvent {}

    /**
     * This member gives up leadership gracefully: finish up. {@link Neli#isLeader()} is already false and no new work
     * starts. Nobody else leads before the listeners have returned and running work has ended. If the handover timeout
     * or the lease is over first, {@link LeaderFenced} follows. With {@link Mode#NON_EXCLUSIVE}, the next leader
     * usually leads already.
     *
     * @param reason why this member gives up leadership
     */
    record LeaderRevoked(String role, int partition, long token, RevokeReason reason) implements LeaderEvent {}

    /**
     * This member no longer leads, and another may already lead: stop now. Running work is interrupted.
     *
     * @param reason why this member lost leadership
     */
    record LeaderFenced(String role, int partition, long token, FenceReason reason) implements LeaderEvent {}

    /** Why a leader begins a handover. */
    enum RevokeReason {
        /** The member is closing. */
        CLOSING,
        /** The application called {@link Neli#resign}, a listener failed to prepare, or a work limit was exceeded. */
        RESIGNED,
        /** The application called {@link Neli#pause}, or made the member {@linkplain Neli#candidate no candidate}. */
        PAUSED,
        /** The consumer group assigned the partition to another member, and that member has bid for it. */
        HANDOVER,
        /** In non-exclusive mode: another member leads, and this member's lease has ended. */
        SUPERSEDED,
        /** Another member leads with other partitions, roles, mode or quorum, or runs a newer version. */
        CONFLICT
    }

    /** Why a leader lost leadership without a handover. */
    enum FenceReason {
        /**
         * This member read a later claim, by another member or by itself. Or it read a record in its name that it did
         * not write, because a snapshot of its process was restored twice.
         */
        SUPERSEDED,
        /** No record of this term was read back within the lease. */
        LEASE_EXPIRED,
        /** The log lost records, or the topic was created again. */
        LOG_GAP,
        /** Work outlasted the handover timeout. */
        HANDOVER_TIMED_OUT
    }
}
