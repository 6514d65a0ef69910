package io.neli.internal.election;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A finished assignment of all partitions, as every member of the group receives it.
 *
 * @param groupConfig the group configuration it is based on
 * @param eligible all members, and whether each was eligible
 * @param shares by partition; a missing one has neither owner nor term
 */
public record AssignmentPlan(GroupConfig groupConfig, Map<MemberId, Boolean> eligible, Map<Integer, Share> shares) {

    public AssignmentPlan {
        eligible = Map.copyOf(eligible);
        shares = Map.copyOf(shares);
    }

    /**
     * The decision for one partition.
     *
     * @param owner who should lead it; null if no member is eligible
     * @param countedToken the term it is based on; null if nobody led
     */
    public record Share(@Nullable MemberId owner, @Nullable Long countedToken) {

        static final Share NONE = new Share(null, null);
    }

    Share share(int partition) {
        return shares.getOrDefault(partition, Share.NONE);
    }

    /** Whether no other member was eligible. */
    boolean isAlone(MemberId self) {
        return eligible.entrySet().stream()
                .noneMatch(member -> member.getValue() && !member.getKey().equals(self));
    }

    /** Other members with the same name. */
    public List<MemberId> duplicatesOf(MemberId self) {
        return eligible.keySet().stream()
                .filter(member -> member.name().equals(self.name()) && !member.equals(self))
                .toList();
    }
}
