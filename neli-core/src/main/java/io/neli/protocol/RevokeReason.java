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
    /** Another member of the group leads with other partitions, roles or mode. */
    CONFLICT
}
