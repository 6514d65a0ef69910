package io.neli.internal.election;

import java.util.List;
import java.util.Optional;
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
 * @param otherRolesFrom the first partition in which another member leads another role than this one would, so that
 *     this one leads neither that partition nor any after it; as many as there are partitions if there is none
 * @param plan the group's last assignment; null before the first
 */
public record ElectionState(
        Eligibility eligibility,
        List<Restraint> restraints,
        List<PartitionState> partitions,
        int otherRolesFrom,
        @Nullable MemberPlan plan) {

    /** The partitions for which it is not eligible, whether or not the whole member is. */
    public Set<Integer> excludedAt(MonotonicTime now) {
        return IntStream.range(0, restraints.size())
                .filter(partition ->
                        partition >= otherRolesFrom || restraints.get(partition).holdsAt(now))
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The term in which the role of the partition is led now, by any member, as far as this one knows. A member with
     * other roles may lead another role there: that is not it.
     */
    public Optional<Term> ledAt(int partition, Moment now, MemberId self, GroupConfig config) {
        return Optional.ofNullable(partitions.get(partition).ledAt(now, self))
                .filter(term -> config.isLed(partition, term));
    }

    /** The most serious one. */
    public Conflict conflict() {
        return eligibility.conflict().orWorse(otherRolesFrom < partitions.size() ? Conflict.ROLES : Conflict.NONE);
    }

    /** When the next step is due. */
    public MonotonicTime deadline() {
        MonotonicTime earliest = MonotonicTime.NEVER;
        for (PartitionState partition : partitions) {
            earliest = MonotonicTime.earlier(earliest, partition.deadline);
        }
        return earliest;
    }

    /** Whether a closing member has nothing left to wait for. */
    public boolean isSettledAt(Moment now) {
        return partitions.stream().allMatch(partition -> partition.isSettledAt(now));
    }
}
