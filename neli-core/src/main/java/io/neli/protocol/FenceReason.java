package io.neli.protocol;

/** Why a leader leads no longer, without having handed over. */
public enum FenceReason {
    /** Another member's claim, or a newer one of this member, was read. */
    SUPERSEDED,
    /** No record of this term was read back within the lease. */
    LEASE_EXPIRED,
    /** The log lost records, or the topic was created anew. */
    LOG_GAP,
    /** Work went on beyond the handover timeout. */
    HANDOVER_TIMED_OUT
}
