package io.neli.internal.election;

import java.util.Map;

/**
 * What a member reports to the group when it joins.
 *
 * @param member the member
 * @param eligible whether it is eligible
 * @param leading the partitions that it leads, with the tokens of its terms
 * @param groupConfig the group configuration that it uses
 */
public record MemberMetadata(MemberId member, boolean eligible, Map<Integer, Long> leading, GroupConfig groupConfig) {

    public MemberMetadata {
        leading = Map.copyOf(leading);
    }
}
