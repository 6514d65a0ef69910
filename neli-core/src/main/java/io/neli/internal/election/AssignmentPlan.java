package io.neli.internal.election;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What every member of the group is told when an assignment is finished: the whole map.
 *
 * @param groupConfig the agreement that was in force
 * @param eligible the members, and whether the assignment counted on each of them standing
 * @param shares by partition; one that is missing has neither owner nor term
 */
public record AssignmentPlan(GroupConfig groupConfig, Map<MemberId, Boolean> eligible, Map<Integer, Share> shares) {

    public AssignmentPlan {
        eligible = Map.copyOf(eligible);
        shares = Map.copyOf(shares);
    }

    /**
     * What was decided for a partition.
     *
     * @param owner who should lead it; null if nobody stands
     * @param countedToken the term that was counted on; null if nobody led
     */
    public record Share(@Nullable MemberId owner, @Nullable Long countedToken) {

        static final Share NONE = new Share(null, null);
    }

    Share share(int partition) {
        return shares.getOrDefault(partition, Share.NONE);
    }

    /** Whether it counted on no other member standing. */
    boolean isAlone(MemberId self) {
        return eligible.entrySet().stream()
                .noneMatch(member -> member.getValue() && !member.getKey().equals(self));
    }

    /** Other members of the same name. */
    public List<MemberId> duplicatesOf(MemberId self) {
        return eligible.keySet().stream()
                .filter(member -> member.name().equals(self.name()) && !member.equals(self))
                .toList();
    }
}
