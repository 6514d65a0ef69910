package io.neli.internal.election;

import java.util.Map;

/**
 * What a member tells the group when it joins.
 *
 * @param member the member
 * @param eligible whether it stands
 * @param leading the partitions that it leads, with their tokens
 * @param groupConfig what it takes to be agreed
 */
public record MemberMetadata(MemberId member, boolean eligible, Map<Integer, Long> leading, GroupConfig groupConfig) {

    public MemberMetadata {
        leading = Map.copyOf(leading);
    }
}
