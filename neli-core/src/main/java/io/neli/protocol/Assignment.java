package io.neli.protocol;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What every member of the group is told when an assignment is finished: the whole map.
 *
 * @param agreement the agreement that was in force
 * @param standing the members, and whether the assignment counted on each of them standing
 * @param shares by partition; one that is missing has neither owner nor term
 */
public record Assignment(Agreement agreement, Map<MemberId, Boolean> standing, Map<Integer, Share> shares) {

    public Assignment {
        standing = Map.copyOf(standing);
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
        return standing.entrySet().stream()
                .noneMatch(member -> member.getValue() && !member.getKey().equals(self));
    }

    /** Other members of the same name. */
    public List<MemberId> twinsOf(MemberId self) {
        return standing.keySet().stream()
                .filter(member -> member.name().equals(self.name()) && !member.equals(self))
                .toList();
    }
}
