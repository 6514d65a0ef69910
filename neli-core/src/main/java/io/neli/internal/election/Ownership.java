package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * The consumer group's last assignment of the partition.
 *
 * @param assignedAt when the assignment finished; {@link MonotonicTime#PAST} before the first
 * @param owner who should lead; null if no member was eligible, or before the first assignment
 * @param deputy who would get the partition if the owner left; null if none, or if this member neither owned nor led it
 * @param countedToken the term that the assignment is based on; {@link Term#NONE} if nobody led, or if this member
 *     neither owned nor led it
 * @param alone whether no other member was eligible; always false if this member neither owned nor led it
 */
record Ownership(
        MonotonicTime assignedAt,
        @Nullable MemberHash owner,
        @Nullable MemberHash deputy,
        long countedToken,
        boolean alone) {

    static final Ownership NONE = new Ownership(MonotonicTime.PAST, null, null, Term.NONE, false);

    boolean isAssigned() {
        return assignedAt.compareTo(MonotonicTime.PAST) > 0;
    }

    boolean isOwner(MemberId member) {
        return member.hash().equals(owner);
    }

    /** The member that should follow this one: the owner, or its deputy if this is the owner; null if none. */
    @Nullable
    MemberHash successor(MemberId self) {
        return isOwner(self) ? deputy : owner;
    }
}
