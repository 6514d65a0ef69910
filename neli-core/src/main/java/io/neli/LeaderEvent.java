package io.neli;

/**
 * A change of this member's leadership. Each term begins with {@link LeaderAcquired}. It ends with {@link
 * LeaderRevoked}, with {@link LeaderFenced}, or with the first followed by the second. No event is merged with another
 * or left out.
 *
 * <p>Roles that map to one partition share its terms and tokens: each event comes once for every listed role of the
 * partition, in the order of the list. Where no listed role maps to the partition, it comes for {@link
 * Neli#DEFAULT_ROLE} on partition 0 and for {@code partition-N} on any other.
 */
public sealed interface LeaderEvent {

    /** The role. */
    String role();

    /** The partition of the leader topic that the role maps to. */
    int partition();

    /** The term's fencing token. */
    long token();

    /**
     * This member leads: prepare. {@link Neli#isLeader()} is already true; {@linkplain Neli#beginWork() work} starts
     * when the listeners have returned. A listener that throws makes the member resign.
     *
     * @param role the role
     * @param partition the partition of the leader topic that the role maps to
     * @param token the term's fencing token
     */
    record LeaderAcquired(String role, int partition, long token) implements LeaderEvent {}

    /**
     * This member gives up leadership gracefully: finish up. {@link Neli#isLeader()} is already false and no work
     * starts. Nobody else leads before the listeners have returned and running work has ended, or the handover timeout
     * has passed; then {@link LeaderFenced} follows. With {@link Mode#NON_EXCLUSIVE} the next leader usually leads
     * already.
     *
     * @param role the role
     * @param partition the partition of the leader topic that the role maps to
     * @param token the term's fencing token
     * @param reason why
     */
    record LeaderRevoked(String role, int partition, long token, RevokeReason reason) implements LeaderEvent {}

    /**
     * This member no longer leads, and another may lead already: stop now. Running work is interrupted.
     *
     * @param role the role
     * @param partition the partition of the leader topic that the role maps to
     * @param token the term's fencing token
     * @param reason why
     */
    record LeaderFenced(String role, int partition, long token, FenceReason reason) implements LeaderEvent {}

    /** Why a leader begins a handover. */
    enum RevokeReason {
        /** The member is closing. */
        CLOSING,
        /** The application called {@link Neli#resign}. */
        RESIGNED,
        /** The application called {@link Neli#pause}, or made the member {@linkplain Neli#candidate no candidate}. */
        PAUSED,
        /** The consumer group assigned the partition to another member, and that member has bid for it. */
        HANDOVER,
        /** In non-exclusive mode: another member leads, and this member's lease has ended. */
        SUPERSEDED,
        /** Another member of the group leads with other partitions, roles or another mode, or runs a newer version. */
        CONFLICT
    }

    /** Why a leader lost leadership without a handover. */
    enum FenceReason {
        /**
         * A later claim was read: another member's, or a newer one of this member. Or a record in this member's name
         * that it did not write, because a snapshot of its process was restored twice.
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
