package io.neli.internal.election;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows. Immutable.
 *
 * @param eligibility whether it is eligible
 * @param partitions the state of each partition
 * @param otherRolesFrom the first partition that another member leads for another role than this one would: this member
 *     leads neither that partition nor any after it. The number of partitions if none
 * @param plan the group's last assignment; null before the first
 */
public record ElectionState(
        Eligibility eligibility, List<PartitionState> partitions, int otherRolesFrom, @Nullable MemberPlan plan) {

    /** The partitions for which the member is not eligible, even while it is eligible in general. */
    public Set<Integer> excludedAt(MonotonicTime now) {
        return IntStream.range(0, partitions.size())
                .filter(partition -> partition >= otherRolesFrom
                        || partitions.get(partition).restraint.holdsAt(now))
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The term that any member now leads, as far as this one knows, for the role that the partition has here. A member
     * with other roles may lead it for another role: that term is left out.
     */
    public Optional<Term> ledAt(int partition, Moment now, MemberId self, GroupConfig config) {
        return Optional.ofNullable(partitions.get(partition).ledAt(now, self))
                .filter(term -> Objects.equals(term.config().role(), config.roleOf(partition)));
    }

    /** What the member knows about that log. */
    public LogState log(LogId log) {
        return partitions.get(log.partition()).logs().get(log.log());
    }

    /** The most serious conflict in any partition. */
    public Conflict conflict() {
        return eligibility.conflict().orWorse(otherRolesFrom < partitions.size() ? Conflict.ROLES : Conflict.NONE);
    }

    /** When the next step is due. */
    public MonotonicTime deadline() {
        return partitions.stream()
                .map(partition -> partition.deadline)
                .reduce(MonotonicTime.NEVER, MonotonicTime::earlier);
    }

    /** Whether a closing member has nothing left to wait for. */
    public boolean isSettledAt(Moment now) {
        return partitions.stream().allMatch(partition -> partition.isSettledAt(now));
    }
}
