package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The consumer group's last assignment of the partition, and the handovers that follow from it.
 *
 * @param assignedAt when the assignment finished; {@link MonotonicTime#PAST} before the first
 * @param owner who should lead; null if no member was eligible, or before the first assignment
 * @param deputy who would get the partition if the owner left; null if nobody, or if this member neither owned nor led it
 * @param countedToken the term that the assignment is based on; {@link Term#NONE} if nobody led, or if this member neither
 *     owned nor led it
 * @param alone whether no other member was eligible; false also if this member neither owned nor led it
 * @param ownerSuperseded whether the owner has lost a term to another member since; the owner may be dead
 * @param askedAt when this member, as the owner, last asked the leader to hand over
 * @param readOwnBid whether it has read its own bid since, and no claim
 * @param handedTo the owner that this member last handed over to; null once that owner has claimed
 * @param handedAt when that was
 */
record Ownership(
        MonotonicTime assignedAt,
        @Nullable MemberHash owner,
        @Nullable MemberHash deputy,
        long countedToken,
        boolean alone,
        boolean ownerSuperseded,
        MonotonicTime askedAt,
        boolean readOwnBid,
        @Nullable MemberHash handedTo,
        MonotonicTime handedAt) {

    /** How many leases a leader waits before it hands over again to an owner that did not claim. */
    private static final int LEASES_BETWEEN_HANDOVERS = 10;

    static final Ownership NONE = new Ownership(
            MonotonicTime.PAST,
            null,
            null,
            Term.NONE,
            false,
            false,
            MonotonicTime.PAST,
            false,
            null,
            MonotonicTime.PAST);

    boolean isAssigned() {
        return assignedAt.compareTo(MonotonicTime.PAST) > 0;
    }

    boolean isOwner(MemberId member) {
        return member.hash().equals(owner);
    }

    /** The member that should follow this one: the owner, or its deputy if this is the owner; null if there is none. */
    @Nullable
    MemberHash successor(MemberHash self) {
        return self.equals(owner) ? deputy : owner;
    }

    Ownership assigned(Input.Assigned input, long token, MonotonicTime now) {
        return new Ownership(
                now,
                input.share().owner(),
                input.share().deputy(),
                token,
                input.alone(),
                false,
                MonotonicTime.PAST,
                false,
                handedTo,
                handedAt);
    }

    Ownership asked(MonotonicTime now) {
        return new Ownership(
                assignedAt, owner, deputy, countedToken, alone, ownerSuperseded, now, false, handedTo, handedAt);
    }

    Ownership ownBidRead() {
        return withReadOwnBid(true);
    }

    Ownership claiming() {
        return withReadOwnBid(false);
    }

    private Ownership withReadOwnBid(boolean read) {
        return new Ownership(
                assignedAt, owner, deputy, countedToken, alone, ownerSuperseded, askedAt, read, handedTo, handedAt);
    }

    Ownership handedOver(MonotonicTime now) {
        return new Ownership(
                assignedAt, owner, deputy, countedToken, alone, ownerSuperseded, askedAt, readOwnBid, owner, now);
    }

    /** A member claimed the partition; {@code from} is the previous holder, null if there was none or it had resigned. */
    Ownership claimedBy(MemberId member, @Nullable MemberId from) {
        boolean fromOwner = from != null && isOwner(from);
        boolean superseded = owner != null && !isOwner(member) && (ownerSuperseded || fromOwner);
        boolean completed = member.hash().equals(handedTo);
        return new Ownership(
                assignedAt,
                owner,
                deputy,
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
