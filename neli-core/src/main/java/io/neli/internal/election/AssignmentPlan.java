package io.neli.internal.election;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The assignment of all partitions. Each member receives a part of it, a {@link MemberPlan}.
 *
 * @param groupConfig the fingerprint of the group configuration it is based on
 * @param members all members, and what each reported
 * @param shares by partition
 */
public record AssignmentPlan(String groupConfig, Map<MemberId, MemberMetadata> members, List<Share> shares) {

    public AssignmentPlan {
        members = Map.copyOf(members);
        shares = List.copyOf(shares);
    }

    /**
     * The decision for one partition.
     *
     * @param owner who should lead it; null if no member is eligible for it
     * @param leader who led it; null if nobody did
     * @param countedToken the leader's token
     * @param deputy who would get it next; null if only the owner is eligible
     */
    public record Share(
            @Nullable MemberId owner,
            @Nullable MemberId leader,
            @Nullable Long countedToken,
            @Nullable MemberId deputy) {

        /** Only the owner and the leader use the token and the deputy: others do not receive them. */
        private MemberPlan.Share seenBy(@Nullable MemberId member) {
            boolean concerned = concerns(member);
            return new MemberPlan.Share(hash(owner), concerned ? countedToken : null, concerned ? hash(deputy) : null);
        }

        private boolean concerns(@Nullable MemberId member) {
            return member != null && (member.equals(owner) || member.equals(leader));
        }

        private static @Nullable MemberHash hash(@Nullable MemberId member) {
            return member == null ? null : member.hash();
        }
    }

    /** The part for that member; null means a member whose metadata could not be read. */
    public MemberPlan partOf(@Nullable MemberId member) {
        MemberMetadata reported = member == null ? null : members.get(member);
        return new MemberPlan(
                groupConfig,
                members.size(),
                reported == null ? null : (Boolean) reported.eligible(),
                partitions(partition -> reported != null && reported.excluded().contains(partition)),
                partitions(partition -> shares.get(partition).concerns(member) && isAlone(member, partition)),
                shares.stream().map(share -> share.seenBy(member)).toList());
    }

    private Set<Integer> partitions(IntPredicate which) {
        return IntStream.range(0, shares.size()).filter(which).boxed().collect(Collectors.toSet());
    }

    private boolean isAlone(@Nullable MemberId member, int partition) {
        return members.values().stream()
                .noneMatch(other ->
                        other.isEligibleFor(partition) && !other.member().equals(member));
    }
}
