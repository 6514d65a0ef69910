package io.neli.protocol;

/** Why a leader begins to hand over. */
public enum RevokeReason {
    /** The member is closing. */
    CLOSING,
    /** The application resigned. */
    RESIGNED,
    /** The application paused the member. */
    PAUSED,
    /** The consumer group gave the partition to another member, which has bid for it. */
    HANDOVER,
    /** In non-exclusive mode: another member leads, and the lease of this one is over. */
    SUPERSEDED,
    /** Another member of the group leads with other partitions, roles or mode. */
    CONFLICT
}
