package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The last handover to an owner that the group assigned.
 *
 * @param to the member that should lead next; null once it has claimed
 * @param at when the handover began
 */
record Handover(@Nullable MemberHash to, MonotonicTime at) {

    static final Handover NONE = new Handover(null, MonotonicTime.PAST);

    /** How many leases a leader waits before it hands over again to an owner that did not claim. */
    private static final int LEASES_BETWEEN_HANDOVERS = 10;

    /** After its claim, the owner need not wait for its next handover. */
    Handover claimedBy(MemberId member) {
        return member.hash().equals(to) ? NONE : this;
    }

    /** The earliest time when the leader may hand over to that owner. */
    MonotonicTime nextTo(MemberHash owner, Duration lease) {
        return owner.equals(to) ? at.plus(lease.multipliedBy(LEASES_BETWEEN_HANDOVERS)) : MonotonicTime.PAST;
    }
}
