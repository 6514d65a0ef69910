package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the consumer group's last assignment said of the partition: who should lead.
 *
 * @param assignedAt when it finished; {@link MonotonicTime#PAST} before the first
 * @param owner who should lead; null if nobody, or before the first assignment
 * @param countedToken the term it counted on, {@link Term#NONE} if it knew of none
 * @param alone whether it counted on no other member standing
 * @param deposed whether the owner has lost a term to another since: it may be dead, and the group not know it yet
 * @param askedAt when this member, as owner, last asked for a term that is led
 * @param readOwnBid whether it has read its own bid since, and not claimed yet
 * @param handedTo the owner that this member last handed over to; null once that has claimed
 * @param handedAt when that was
 */
record Ownership(
        MonotonicTime assignedAt,
        @Nullable MemberId owner,
        long countedToken,
        boolean alone,
        boolean deposed,
        MonotonicTime askedAt,
        boolean readOwnBid,
        @Nullable MemberId handedTo,
        MonotonicTime handedAt) {

    /** How many leases a leader waits before it hands over again to an owner that did not take the lead. */
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
        return new Ownership(assignedAt, owner, countedToken, alone, deposed, now, false, handedTo, handedAt);
    }

    /** Its own bid was read: it reaches the log, and the log reaches it. */
    Ownership ownBidRead() {
        return new Ownership(assignedAt, owner, countedToken, alone, deposed, askedAt, true, handedTo, handedAt);
    }

    Ownership claiming() {
        return new Ownership(assignedAt, owner, countedToken, alone, deposed, askedAt, false, handedTo, handedAt);
    }

    Ownership handedOver(MonotonicTime now) {
        return new Ownership(assignedAt, owner, countedToken, alone, deposed, askedAt, readOwnBid, owner, now);
    }

    /** A member claimed the partition, from a holder that had not resigned or from nobody. */
    Ownership claimedBy(MemberId member, @Nullable MemberId from) {
        boolean ownerLost = owner != null && !owner.equals(member) && (deposed || owner.equals(from));
        boolean takenUp = member.equals(handedTo);
        return new Ownership(
                assignedAt,
                owner,
                countedToken,
                alone,
                ownerLost,
                askedAt,
                false,
                takenUp ? null : handedTo,
                takenUp ? MonotonicTime.PAST : handedAt);
    }

    /** When the leader may hand over to the owner; {@link MonotonicTime#PAST} where nothing is in the way. */
    MonotonicTime handoverFrom(Duration lease) {
        return owner != null && owner.equals(handedTo)
                ? handedAt.plus(lease.multipliedBy(LEASES_BETWEEN_HANDOVERS))
                : MonotonicTime.PAST;
    }
}
