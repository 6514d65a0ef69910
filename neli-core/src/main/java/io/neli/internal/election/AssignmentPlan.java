package io.neli.internal.election;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The assignment of all partitions. Each member receives its own part of it, a {@link MemberPlan}.
 *
 * @param groupConfig the fingerprint of the group configuration it is based on
 * @param eligible all members, and whether each was eligible
 * @param shares by partition
 */
public record AssignmentPlan(String groupConfig, Map<MemberId, Boolean> eligible, List<Share> shares) {

    public AssignmentPlan {
        eligible = Map.copyOf(eligible);
        shares = List.copyOf(shares);
    }

    /**
     * The decision for one partition.
     *
     * @param owner who should lead it; null if no member is eligible
     * @param leader who led it; null if nobody did
     * @param countedToken the leader's token
     * @param deputy who would get it next; null if only the owner is eligible
     */
    public record Share(
            @Nullable MemberId owner,
            @Nullable MemberId leader,
            @Nullable Long countedToken,
            @Nullable MemberId deputy) {

        /** Only the owner and the leader use the token and the deputy. */
        private MemberPlan.Share seenBy(@Nullable MemberId member) {
            boolean concerned = member != null && (member.equals(owner) || member.equals(leader));
            return new MemberPlan.Share(hash(owner), concerned ? countedToken : null, concerned ? hash(deputy) : null);
        }

        private static @Nullable MemberHash hash(@Nullable MemberId member) {
            return member == null ? null : member.hash();
        }
    }

    /** The part that a member receives; null is a member whose metadata could not be read. */
    public MemberPlan partOf(@Nullable MemberId member) {
        boolean alone = eligible.entrySet().stream()
                .noneMatch(other -> other.getValue() && !other.getKey().equals(member));
        long duplicates = eligible.keySet().stream()
                .filter(other -> member != null && other.name().equals(member.name()) && !other.equals(member))
                .count();
        return new MemberPlan(
                groupConfig,
                eligible.size(),
                member == null ? null : eligible.get(member),
                alone,
                Math.toIntExact(duplicates),
                shares.stream().map(share -> share.seenBy(member)).toList());
    }
}
