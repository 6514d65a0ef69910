package io.neli.internal.election;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The part of a finished {@link AssignmentPlan} that one member receives. Kafka stores the parts of all members in a
 * single record, so they must be small.
 *
 * @param groupConfig the fingerprint of the group configuration it is based on
 * @param members how many members the group has
 * @param countedEligible whether this member was eligible, in general; null if its metadata could not be read
 * @param excluded the partitions for which it was not eligible, even if it was in general
 * @param alone the partitions that it owned or led, and for which no other member was eligible
 * @param shares by partition
 */
public record MemberPlan(
        String groupConfig,
        int members,
        @Nullable Boolean countedEligible,
        Set<Integer> excluded,
        Set<Integer> alone,
        List<Share> shares) {

    public MemberPlan {
        excluded = Set.copyOf(excluded);
        alone = Set.copyOf(alone);
        shares = List.copyOf(shares);
    }

    /**
     * The decision for one partition.
     *
     * @param owner who should lead it; null if no member is eligible for it
     * @param countedToken the token of the term that the decision is based on; null if nobody led, or if this member
     *     neither owned nor led
     * @param deputy who would get it next; null if only the owner is eligible, or if this member neither owned nor led
     */
    public record Share(@Nullable MemberHash owner, @Nullable Long countedToken, @Nullable MemberHash deputy) {

        static final Share NONE = new Share(null, null, null);

        boolean isOwner(MemberId member) {
            return member.hash().equals(owner);
        }

        boolean isBasedOn(long token) {
            return countedToken != null && countedToken == token;
        }

        /** The member that should follow that one: the owner, or its deputy if that one is the owner; null if none. */
        @Nullable
        MemberHash successor(MemberId member) {
            return isOwner(member) ? deputy : owner;
        }
    }

    @Nullable
    Boolean countedEligible(int partition) {
        return countedEligible == null ? null : (Boolean) (countedEligible && !excluded.contains(partition));
    }

    Share share(int partition) {
        return partition < shares.size() ? shares.get(partition) : Share.NONE;
    }
}
