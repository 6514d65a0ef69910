package io.neli.internal.election;

import java.util.Map;

/**
 * What a member reports to the group when it joins.
 *
 * @param member the member
 * @param eligible whether it is eligible
 * @param priority eligible members of the highest priority are assigned the partitions
 * @param leading the partitions that it leads, with the tokens of its terms
 * @param groupConfig the fingerprint of the group configuration that it uses
 * @param partitions how many partitions it uses
 */
public record MemberMetadata(
        MemberId member,
        boolean eligible,
        int priority,
        Map<Integer, Long> leading,
        String groupConfig,
        int partitions) {

    public MemberMetadata {
        leading = Map.copyOf(leading);
    }
}
