package io.neli.internal.election;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows. Immutable.
 *
 * @param eligibility whether it is eligible
 * @param restraints what the application has asked for of each partition alone
 * @param partitions the state of each partition
 * @param deadlines when the next step of each partition is due
 * @param plan the group's last assignment; null before the first
 */
public record ElectionState(
        Eligibility eligibility,
        List<Restraint> restraints,
        List<PartitionState> partitions,
        List<MonotonicTime> deadlines,
        @Nullable MemberPlan plan) {

    /** The partitions for which the application keeps it from being eligible, whatever it asked for of the whole member. */
    public Set<Integer> excludedAt(MonotonicTime now) {
        return IntStream.range(0, restraints.size())
                .filter(partition -> restraints.get(partition).holdsAt(now))
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

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
