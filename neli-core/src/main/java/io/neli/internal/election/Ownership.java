package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The consumer group's last assignment of the partition, and the handovers that follow from it.
 *
 * @param assignedAt when the assignment finished; {@link MonotonicTime#PAST} before the first
 * @param owner who should lead; null if no member was eligible, or before the first assignment
 * @param countedToken the term that the assignment is based on; {@link Term#NONE} if nobody led
 * @param alone whether no other member was eligible
 * @param ownerSuperseded whether the owner has lost a term to another member since; the owner may be dead
 * @param askedAt when this member, as the owner, last asked the leader to hand over
 * @param readOwnBid whether it has read its own bid since, and no claim
 * @param handedTo the owner that this member last handed over to; null once that owner has claimed
 * @param handedAt when that was
 */
record Ownership(
        MonotonicTime assignedAt,
        @Nullable MemberId owner,
        long countedToken,
        boolean alone,
        boolean ownerSuperseded,
        MonotonicTime askedAt,
        boolean readOwnBid,
        @Nullable MemberId handedTo,
        MonotonicTime handedAt) {

    /** How many leases a leader waits before it hands over again to an owner that did not claim. */
    private static final int LEASES_BETWEEN_HANDOVERS = 10;

    static final Ownership NONE = new Ownership(
            MonotonicTime.PAST, null, Term.NONE, false, false, MonotonicTime.PAST, false, null, MonotonicTime.PAST);

    boolean isAssigned() {
        return assignedAt.compareTo(MonotonicTime.PAST) > 0;
    }

    boolean isOwner(MemberId member) {
        return member.equals(owner);
    }

    Ownership assigned(@Nullable MemberId nextOwner, long token, boolean alone, MonotonicTime now) {
        return new Ownership(now, nextOwner, token, alone, false, MonotonicTime.PAST, false, handedTo, handedAt);
    }

    Ownership asked(MonotonicTime now) {
        return new Ownership(assignedAt, owner, countedToken, alone, ownerSuperseded, now, false, handedTo, handedAt);
    }

    Ownership ownBidRead() {
        return withReadOwnBid(true);
    }

    Ownership claiming() {
        return withReadOwnBid(false);
    }

    private Ownership withReadOwnBid(boolean read) {
        return new Ownership(
                assignedAt, owner, countedToken, alone, ownerSuperseded, askedAt, read, handedTo, handedAt);
    }

    Ownership handedOver(MonotonicTime now) {
        return new Ownership(assignedAt, owner, countedToken, alone, ownerSuperseded, askedAt, readOwnBid, owner, now);
    }

    /** Who a leader invites to claim when it resigns; null if it knows of nobody. */
    @Nullable
    MemberHash successor(MemberId self) {
        return owner == null || owner.equals(self) ? null : owner.hash();
    }

    /** A member claimed the partition; {@code from} is the previous holder, null if there was none or it had resigned. */
    Ownership claimedBy(MemberId member, @Nullable MemberId from) {
        boolean superseded = owner != null && !owner.equals(member) && (ownerSuperseded || owner.equals(from));
        boolean completed = member.equals(handedTo);
        return new Ownership(
                assignedAt,
                owner,
                countedToken,
                alone,
                superseded,
                askedAt,
                false,
                completed ? null : handedTo,
                completed ? MonotonicTime.PAST : handedAt);
    }

    /** From when the leader may hand over to the owner. */
    MonotonicTime handoverFrom(Duration lease) {
        return owner != null && owner.equals(handedTo)
                ? handedAt.plus(lease.multipliedBy(LEASES_BETWEEN_HANDOVERS))
                : MonotonicTime.PAST;
    }
}
