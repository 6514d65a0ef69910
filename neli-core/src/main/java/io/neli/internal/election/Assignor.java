package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;
import static java.util.Comparator.naturalOrder;
import static java.util.function.BinaryOperator.maxBy;

/**
 * Decides which member should lead which partition. Of the members that are eligible for a partition, those of the
 * highest priority may own it. It stays with its leader, unless the leader has more than its fair share or another
 * member has less. The others go to the least loaded members. A member's fair share counts only partitions that it may
 * own: while it is paused for one of them, it usually gets no other instead.
 */
public final class Assignor {

    private Assignor() {}

    /**
     * The assignment for these members. It depends on nothing else, so every member computes the same.
     *
     * @param group at least one member
     */
    public static AssignmentPlan assign(Collection<MemberMetadata> group) {
        // A member that has rejoined is listed twice until the group notices that it left.
        Map<MemberId, MemberMetadata> reports =
                new TreeMap<>(comparing(MemberId::name).thenComparing(MemberId::incarnation));
        group.forEach(member -> reports.put(member.member(), member));
        List<MemberMetadata> members = List.copyOf(reports.values());
        MemberMetadata prevailing = prevailing(members);
        List<MemberMetadata> compatible = members.stream()
                .filter(m -> m.groupConfig().equals(prevailing.groupConfig()))
                .toList();
        int partitions =
                compatible.stream().mapToInt(MemberMetadata::partitions).max().orElseThrow();

        Map<Integer, Leader> leaders = leaders(compatible);
        Comparator<Integer> byToken = comparingLong(partition -> {
            Leader leader = leaders.get(partition);
            return leader == null ? Long.MAX_VALUE : leader.token();
        });
        Comparator<Integer> movedFirst = byToken.thenComparing(naturalOrder()).reversed();
        List<Load> loads =
                compatible.stream().map(member -> new Load(member, movedFirst)).toList();
        Map<Integer, MemberId> owners = owners(loads, leaders, partitions);
        Map<Integer, MemberId> deputies = deputies(loads);
        List<AssignmentPlan.Share> shares = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            Leader leader = leaders.get(partition);
            shares.add(new AssignmentPlan.Share(
                    owners.get(partition),
                    leader == null ? null : leader.member(),
                    leader == null ? null : leader.token(),
                    deputies.get(partition)));
        }
        return new AssignmentPlan(prevailing.groupConfig(), reports, shares);
    }

    /**
     * The member whose configuration counts: the one with the highest token; while nobody leads, the first eligible
     * one.
     */
    private static MemberMetadata prevailing(List<MemberMetadata> members) {
        return members.stream()
                .filter(member -> !member.leading().isEmpty())
                .max(comparingLong(member ->
                        member.leading().values().stream().max(Long::compare).orElseThrow()))
                .orElseGet(() -> members.stream()
                        .filter(MemberMetadata::eligible)
                        .findFirst()
                        .orElse(members.get(0)));
    }

    private record Leader(MemberId member, long token) {}

    /** By partition, the member that leads it with the highest token, even if it is not eligible. */
    private static Map<Integer, Leader> leaders(List<MemberMetadata> members) {
        Map<Integer, Leader> leaders = new HashMap<>();
        for (MemberMetadata member : members) {
            member.leading()
                    .forEach((partition, token) -> leaders.merge(
                            partition, new Leader(member.member(), token), maxBy(comparingLong(Leader::token))));
        }
        return leaders;
    }

    /**
     * A member, the partitions that it will own, and its fair share: each partition that it may own counts as 1 divided
     * by the number of members that may.
     */
    private static final class Load {

        /** Covers the rounding errors of adding fractions. */
        private static final double ROUNDING = 1e-6;

        final MemberMetadata member;
        final NavigableSet<Integer> partitions;
        private double fair;

        /** @param movedFirst orders its partitions: those that it has led longest come last */
        Load(MemberMetadata member, Comparator<Integer> movedFirst) {
            this.member = member;
            this.partitions = new TreeSet<>(movedFirst);
        }

        MemberId id() {
            return member.member();
        }

        int size() {
            return partitions.size();
        }

        double excess() {
            return size() - fair;
        }

        int most() {
            return (int) Math.ceil(fair - ROUNDING);
        }

        int least() {
            return (int) Math.floor(fair + ROUNDING);
        }
    }

    /** The members that may own the partition: those of the highest priority that are eligible for it. */
    private static List<Load> choice(int partition, List<Load> candidates) {
        List<Load> eligible = candidates.stream()
                .filter(load -> load.member.isEligibleFor(partition))
                .toList();
        int highest =
                eligible.stream().mapToInt(load -> load.member.priority()).max().orElse(0);
        return eligible.stream()
                .filter(load -> load.member.priority() == highest)
                .toList();
    }

    private static Map<Integer, MemberId> owners(List<Load> candidates, Map<Integer, Leader> leaders, int partitions) {
        List<List<Load>> choices = new ArrayList<>();
        List<Integer> free = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<Load> choice = choice(partition, candidates);
            choices.add(choice);
            choice.forEach(load -> load.fair += 1.0 / choice.size());
            Leader leader = leaders.get(partition);
            choice.stream()
                    .filter(load -> leader != null && load.id().equals(leader.member()))
                    .findFirst()
                    .<Collection<Integer>>map(load -> load.partitions)
                    .orElse(free)
                    .add(partition);
        }
        free.sort(comparingInt(partition -> choices.get(partition).size()));
        for (int partition : free) {
            choices.get(partition).stream()
                    .min(comparingInt(Load::size))
                    .ifPresent(least -> least.partitions.add(partition));
        }
        while (moveOne(candidates, choices)) {
            // until all have their fair shares, or no partition can be moved
        }
        Map<Integer, MemberId> owners = new HashMap<>();
        candidates.forEach(load -> load.partitions.forEach(partition -> owners.put(partition, load.id())));
        return owners;
    }

    /**
     * Moves one partition, if possible from the member with the largest excess over its fair share. Returns false if
     * none can be moved.
     */
    private static boolean moveOne(List<Load> candidates, List<List<Load>> choices) {
        List<Load> mostFirst = new ArrayList<>(candidates);
        mostFirst.sort(comparingDouble(Load::excess).reversed());
        for (Load from : mostFirst) {
            for (int partition : from.partitions) {
                Load to = Collections.min(choices.get(partition), comparingDouble(Load::excess));
                boolean unfair = from.size() > from.most() || to.size() < to.least();
                if (unfair && from.size() > from.least() && to.size() < to.most()) {
                    from.partitions.remove(partition);
                    to.partitions.add(partition);
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * By partition, the member that would get it if its owner left: the least loaded of its {@linkplain #choice
     * choice}, counting what that member would also get from the same owner.
     */
    private static Map<Integer, MemberId> deputies(List<Load> candidates) {
        Map<Integer, MemberId> deputies = new HashMap<>();
        Map<Load, Integer> deputyFor = new HashMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            // Starts after the owner, so that members of equal load do not all have the same deputy.
            List<Load> others = new ArrayList<>(candidates.subList(i + 1, candidates.size()));
            others.addAll(candidates.subList(0, i));
            Map<Load, Integer> fromOwner = new HashMap<>();
            for (int partition : candidates.get(i).partitions.stream().sorted().toList()) {
                choice(partition, others).stream()
                        .min(comparingInt((Load load) -> load.size() + fromOwner.getOrDefault(load, 0))
                                .thenComparing(load -> deputyFor.getOrDefault(load, 0)))
                        .ifPresent(deputy -> {
                            fromOwner.merge(deputy, 1, Integer::sum);
                            deputyFor.merge(deputy, 1, Integer::sum);
                            deputies.put(partition, deputy.id());
                        });
            }
        }
        return deputies;
    }
}
