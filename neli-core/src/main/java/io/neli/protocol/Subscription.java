package io.neli.protocol;

import java.util.Map;

/**
 * What a member tells the group when it joins.
 *
 * @param member the member
 * @param standing whether it stands
 * @param leading the partitions that it leads, with their tokens
 * @param agreement what it takes to be agreed
 */
public record Subscription(MemberId member, boolean standing, Map<Integer, Long> leading, Agreement agreement) {

    public Subscription {
        leading = Map.copyOf(leading);
    }
}
