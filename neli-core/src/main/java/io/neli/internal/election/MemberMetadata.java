package io.neli.internal.election;

import java.util.Map;
import java.util.Set;

/**
 * What a member reports to the group when it joins.
 *
 * @param eligible whether it is eligible, in general
 * @param excluded the partitions for which it is not eligible, even if it is in general
 * @param priority each partition is assigned to an eligible member of the highest priority
 * @param leading the partitions that it leads, with the tokens of its terms
 * @param groupConfig the fingerprint of the group configuration that it uses
 * @param partitions how many partitions it uses; members of one group configuration may use more or fewer
 */
public record MemberMetadata(
        MemberId member,
        boolean eligible,
        Set<Integer> excluded,
        int priority,
        Map<Integer, Long> leading,
        String groupConfig,
        int partitions) {

    public MemberMetadata {
        excluded = Set.copyOf(excluded);
        leading = Map.copyOf(leading);
    }

    boolean isEligibleFor(int partition) {
        return eligible && partition < partitions && !excluded.contains(partition);
    }
}
