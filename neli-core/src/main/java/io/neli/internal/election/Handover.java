package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The last handover to an owner by the group's assignment.
 *
 * @param to who was to lead next; null once that member has claimed
 * @param at when that was
 */
record Handover(@Nullable MemberHash to, MonotonicTime at) {

    static final Handover NONE = new Handover(null, MonotonicTime.PAST);

    /** How many leases a leader waits before it hands over again to an owner that did not claim. */
    private static final int LEASES_BETWEEN_HANDOVERS = 10;

    /** An owner that has claimed need not wait the next time. */
    Handover claimedBy(MemberId member) {
        return member.hash().equals(to) ? NONE : this;
    }

    /** From when the leader may hand over to that owner. */
    MonotonicTime nextTo(MemberHash owner, Duration lease) {
        return owner.equals(to) ? at.plus(lease.multipliedBy(LEASES_BETWEEN_HANDOVERS)) : MonotonicTime.PAST;
    }
}
