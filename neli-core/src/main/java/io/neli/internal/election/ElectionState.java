package io.neli.internal.election;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows. Immutable.
 *
 * @param eligibility whether it is eligible
 * @param partitions the state of each partition
 * @param deadlines when the next step of each partition is due
 * @param plan the group's last assignment; null before the first
 */
public record ElectionState(
        Eligibility eligibility,
        List<PartitionState> partitions,
        List<MonotonicTime> deadlines,
        @Nullable MemberPlan plan) {

    /** When the next step is due. */
    public MonotonicTime deadline() {
        MonotonicTime earliest = MonotonicTime.NEVER;
        for (MonotonicTime deadline : deadlines) {
            earliest = MonotonicTime.earlier(earliest, deadline);
        }
        return earliest;
    }

    /** Whether a closing member has nothing left to wait for. */
    public boolean isSettledAt(Moment now) {
        return partitions.stream().allMatch(partition -> partition.isSettledAt(now));
    }
}
