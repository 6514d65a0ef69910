package io.neli.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the consumer group's last assignment said of the partition: who should lead.
 *
 * @param assignedAt when it finished; {@link MonotonicTime#PAST} before the first
 * @param owner who should lead; null if nobody, or before the first assignment
 * @param countedToken the term it counted on, {@link Term#NONE} if it knew of none
 * @param askedAt when this member, as owner, last bid for a term that is led
 * @param handedTo the owner that this member last handed over to; null once that has claimed
 * @param handedAt when that was
 */
record Ownership(
        MonotonicTime assignedAt,
        @Nullable MemberId owner,
        long countedToken,
        MonotonicTime askedAt,
        @Nullable MemberId handedTo,
        MonotonicTime handedAt) {

    /** How many leases a leader waits before it hands over again to an owner that did not take the lead. */
    private static final int LEASES_BETWEEN_HANDOVERS = 10;

    static final Ownership NONE =
            new Ownership(MonotonicTime.PAST, null, Term.NONE, MonotonicTime.PAST, null, MonotonicTime.PAST);

    boolean isAssigned() {
        return assignedAt.compareTo(MonotonicTime.PAST) > 0;
    }

    boolean isOwner(MemberId member) {
        return member.equals(owner);
    }

    Ownership assigned(@Nullable MemberId nextOwner, long token, MonotonicTime now) {
        return new Ownership(now, nextOwner, token, MonotonicTime.PAST, handedTo, handedAt);
    }

    Ownership asked(MonotonicTime now) {
        return new Ownership(assignedAt, owner, countedToken, now, handedTo, handedAt);
    }

    Ownership handedOver(MonotonicTime now) {
        return new Ownership(assignedAt, owner, countedToken, askedAt, owner, now);
    }

    Ownership claimedBy(MemberId member) {
        return member.equals(handedTo)
                ? new Ownership(assignedAt, owner, countedToken, askedAt, null, MonotonicTime.PAST)
                : this;
    }

    /** When the leader may hand over to the owner; {@link MonotonicTime#PAST} where nothing is in the way. */
    MonotonicTime handoverFrom(Duration lease) {
        return owner != null && owner.equals(handedTo)
                ? handedAt.plus(lease.multipliedBy(LEASES_BETWEEN_HANDOVERS))
                : MonotonicTime.PAST;
    }
}
