package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;

/**
 * Decides who should lead which partition. The eligible members of the highest priority own all of them. A partition stays with
 * the owner that leads it, unless that leads more than its share; the rest go to the least loaded.
 */
public final class Assignor {

    private static final Comparator<MemberMetadata> BY_MEMBER = comparing(MemberMetadata::member);

    private Assignor() {}

    /**
     * The assignment for these members. It depends on nothing else, so each of them would compute the same.
     *
     * @param group at least one member
     */
    public static AssignmentPlan assign(Collection<MemberMetadata> group) {
        List<MemberMetadata> members = group.stream().sorted(BY_MEMBER).toList();
        MemberMetadata prevailing = prevailing(members);
        int partitions = prevailing.partitions();
        List<MemberMetadata> compatible = members.stream()
                .filter(m -> m.groupConfig().equals(prevailing.groupConfig()))
                .toList();

        Map<MemberId, Boolean> eligible = new HashMap<>();
        members.forEach(member -> eligible.put(member.member(), member.eligible()));

        Map<Integer, Leader> leaders = leaders(compatible, partitions);
        List<Load> candidates = compatible.stream()
                .filter(MemberMetadata::eligible)
                .map(member -> new Load(member, new ArrayList<>()))
                .toList();
        Map<Integer, MemberId> owners = owners(highestPriority(candidates), leaders, partitions);
        Map<Integer, MemberId> deputies = deputies(candidates);
        List<AssignmentPlan.Share> shares = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            Leader leader = leaders.get(partition);
            shares.add(new AssignmentPlan.Share(
                    owners.get(partition),
                    leader == null ? null : leader.member(),
                    leader == null ? null : leader.token(),
                    deputies.get(partition)));
        }
        return new AssignmentPlan(prevailing.groupConfig(), eligible, shares);
    }

    /** The member whose configuration counts: the one with the highest token; while nobody leads, the first. */
    private static MemberMetadata prevailing(List<MemberMetadata> members) {
        return members.stream()
                .filter(member -> !member.leading().isEmpty())
                .max(comparingLong(member ->
                        member.leading().values().stream().max(Long::compare).orElseThrow()))
                .orElse(members.get(0));
    }

    /** A member that leads a partition, and the token of its term. */
    private record Leader(MemberId member, long token) {}

    /** By partition, the member that leads it with the highest token, eligible or not. */
    private static Map<Integer, Leader> leaders(List<MemberMetadata> members, int partitions) {
        Map<Integer, Leader> leaders = new HashMap<>();
        for (MemberMetadata member : members) {
            member.leading().forEach((partition, token) -> {
                Leader other = leaders.get(partition);
                if (partition < partitions && (other == null || other.token() < token)) {
                    leaders.put(partition, new Leader(member.member(), token));
                }
            });
        }
        return leaders;
    }

    /** An eligible member, and the partitions that it is to own. */
    private record Load(MemberMetadata member, List<Integer> partitions) {

        MemberId id() {
            return member.member();
        }

        int size() {
            return partitions.size();
        }
    }

    private static List<Load> highestPriority(List<Load> candidates) {
        int highest = candidates.stream()
                .mapToInt(load -> load.member().priority())
                .max()
                .orElse(0);
        return candidates.stream()
                .filter(load -> load.member().priority() == highest)
                .toList();
    }

    private static Map<Integer, MemberId> owners(List<Load> loads, Map<Integer, Leader> leaders, int partitions) {
        if (loads.isEmpty()) {
            return Map.of();
        }
        Map<MemberId, Load> byMember = new HashMap<>();
        loads.forEach(load -> byMember.put(load.id(), load));
        for (int partition = 0; partition < partitions; partition++) {
            Leader leader = leaders.get(partition);
            Load load = leader == null ? null : byMember.get(leader.member());
            if (load != null) {
                load.partitions().add(partition);
            }
        }
        trim(loads, partitions);

        Map<Integer, MemberId> owners = new HashMap<>();
        loads.forEach(load -> load.partitions().forEach(partition -> owners.put(partition, load.id())));
        for (int partition = 0; partition < partitions; partition++) {
            if (!owners.containsKey(partition)) {
                Load least = Collections.min(loads, comparingInt(Load::size));
                least.partitions().add(partition);
                owners.put(partition, least.id());
            }
        }
        return owners;
    }

    /** Each member keeps at most floor(M / n) of what it leads, and one more if it is among the (M mod n) that lead most. */
    private static void trim(List<Load> loads, int partitions) {
        int floor = partitions / loads.size();
        int withOneMore = partitions % loads.size();
        List<Load> mostFirst = new ArrayList<>(loads);
        mostFirst.sort(comparingInt(Load::size).reversed());
        for (int i = 0; i < mostFirst.size(); i++) {
            List<Integer> load = mostFirst.get(i).partitions();
            int quota = floor + (i < withOneMore ? 1 : 0);
            if (load.size() > quota) {
                load.subList(quota, load.size()).clear();
            }
        }
    }

    /**
     * By partition, the member that would get it if its owner left: of those with the highest priority the least loaded, counting
     * what it would get from the same owner.
     */
    private static Map<Integer, MemberId> deputies(List<Load> candidates) {
        Map<Integer, MemberId> deputies = new HashMap<>();
        Map<MemberId, Integer> deputyFor = new HashMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            Load owner = candidates.get(i);
            if (owner.partitions().isEmpty() || candidates.size() == 1) {
                continue;
            }
            // Begins behind the owner, so that members of equal load are not all followed by the same one.
            List<Load> others = new ArrayList<>(candidates.subList(i + 1, candidates.size()));
            others.addAll(candidates.subList(0, i));
            List<Load> next = highestPriority(others);
            Map<MemberId, Integer> after = new HashMap<>();
            next.forEach(load -> after.put(load.id(), load.size()));
            for (int partition : owner.partitions()) {
                MemberId deputy = Collections.min(
                                next,
                                comparingInt((Load load) -> after.getOrDefault(load.id(), 0))
                                        .thenComparing(load -> deputyFor.getOrDefault(load.id(), 0)))
                        .id();
                after.merge(deputy, 1, Integer::sum);
                deputyFor.merge(deputy, 1, Integer::sum);
                deputies.put(partition, deputy);
            }
        }
        return deputies;
    }
}
