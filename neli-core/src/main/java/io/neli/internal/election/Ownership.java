package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * The consumer group's last assignment of the partition, and what has followed from it in one log.
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
 */
record Ownership(
        MonotonicTime assignedAt,
        @Nullable MemberHash owner,
        @Nullable MemberHash deputy,
        long countedToken,
        boolean alone,
        boolean ownerSuperseded,
        MonotonicTime askedAt,
        boolean readOwnBid) {

    static final Ownership NONE =
            new Ownership(MonotonicTime.PAST, null, null, Term.NONE, false, false, MonotonicTime.PAST, false);

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
                false);
    }

    Ownership asked(MonotonicTime now) {
        return new Ownership(assignedAt, owner, deputy, countedToken, alone, ownerSuperseded, now, false);
    }

    Ownership ownBidRead() {
        return withReadOwnBid(true);
    }

    Ownership claiming() {
        return withReadOwnBid(false);
    }

    private Ownership withReadOwnBid(boolean read) {
        return new Ownership(assignedAt, owner, deputy, countedToken, alone, ownerSuperseded, askedAt, read);
    }

    /** A member claimed the partition; {@code from} is the previous holder, null if there was none or it had resigned. */
    Ownership claimedBy(MemberId member, @Nullable MemberId from) {
        boolean fromOwner = from != null && isOwner(from);
        boolean superseded = owner != null && !isOwner(member) && (ownerSuperseded || fromOwner);
        return new Ownership(assignedAt, owner, deputy, countedToken, alone, superseded, askedAt, false);
    }
}
