package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

/**
 * Decides who should lead which partition. A partition stays with the eligible member that leads it, unless that member
 * leads more than its share; the rest go to the least loaded.
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
        GroupConfig groupConfig = prevailingConfig(members);
        List<MemberMetadata> compatible = members.stream()
                .filter(m -> m.groupConfig().equals(groupConfig))
                .toList();

        Map<MemberId, Boolean> eligible = new HashMap<>();
        members.forEach(member -> eligible.put(member.member(), member.eligible()));

        Map<Integer, MemberMetadata> leaders = leaders(compatible, groupConfig.partitions());
        Map<Integer, MemberId> owners = owners(compatible, leaders, groupConfig.partitions());
        Map<Integer, AssignmentPlan.Share> shares = new HashMap<>();
        for (int partition = 0; partition < groupConfig.partitions(); partition++) {
            MemberMetadata leader = leaders.get(partition);
            @Nullable Long token = leader == null ? null : leader.leading().get(partition);
            shares.put(partition, new AssignmentPlan.Share(owners.get(partition), token));
        }
        return new AssignmentPlan(groupConfig, eligible, shares);
    }

    /** The configuration of the member with the highest term; while nobody leads, of the first member. */
    private static GroupConfig prevailingConfig(List<MemberMetadata> members) {
        return members.stream()
                .filter(member -> !member.leading().isEmpty())
                .max(comparing(member ->
                        member.leading().values().stream().max(Long::compare).orElseThrow()))
                .orElse(members.get(0))
                .groupConfig();
    }

    /** By partition, the member that leads it with the highest term, eligible or not. */
    private static Map<Integer, MemberMetadata> leaders(List<MemberMetadata> members, int partitions) {
        Map<Integer, MemberMetadata> leaders = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            int number = partition;
            members.stream()
                    .filter(member -> member.leading().containsKey(number))
                    .max(comparing(member -> member.leading().get(number)))
                    .ifPresent(leader -> leaders.put(number, leader));
        }
        return leaders;
    }

    /** The partitions that a member is to own. */
    private record Load(MemberId member, List<Integer> partitions) {
        int size() {
            return partitions.size();
        }
    }

    private static Map<Integer, MemberId> owners(
            List<MemberMetadata> members, Map<Integer, MemberMetadata> leaders, int partitions) {
        List<Load> loads = new ArrayList<>();
        for (MemberMetadata member : members) {
            if (member.eligible()) {
                loads.add(new Load(member.member(), ledBy(member, leaders)));
            }
        }
        if (loads.isEmpty()) {
            return Map.of();
        }
        trim(loads, partitions);

        Map<Integer, MemberId> owners = new HashMap<>();
        loads.forEach(load -> load.partitions().forEach(partition -> owners.put(partition, load.member())));
        for (int partition = 0; partition < partitions; partition++) {
            if (!owners.containsKey(partition)) {
                Load least = Collections.min(loads, comparingInt(Load::size));
                least.partitions().add(partition);
                owners.put(partition, least.member());
            }
        }
        return owners;
    }

    private static List<Integer> ledBy(MemberMetadata member, Map<Integer, MemberMetadata> leaders) {
        List<Integer> led = new ArrayList<>();
        leaders.forEach((partition, leader) -> {
            if (leader.equals(member)) {
                led.add(partition);
            }
        });
        Collections.sort(led);
        return led;
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
}
