package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import io.neli.internal.election.AssignmentPlan.Share;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AssignorTest {

    private static final MemberId A = member("a", 1);
    private static final MemberId B = member("b", 2);
    private static final MemberId C = member("c", 3);

    private static MemberId member(String name, long incarnation) {
        return new MemberId(name, new UUID(0, incarnation));
    }

    private static String groupConfig(int partitions) {
        return "exclusive/" + partitions + "/roles";
    }

    private static MemberMetadata eligible(MemberId member, int partitions, Map<Integer, Long> leading) {
        return withPriority(0, member, partitions, leading);
    }

    private static MemberMetadata withPriority(
            int priority, MemberId member, int partitions, Map<Integer, Long> leading) {
        return new MemberMetadata(member, true, Set.of(), priority, leading, groupConfig(partitions), partitions);
    }

    private static MemberMetadata observing(MemberId member, int partitions, Map<Integer, Long> leading) {
        return new MemberMetadata(member, false, Set.of(), 0, leading, groupConfig(partitions), partitions);
    }

    private static AssignmentPlan assign(MemberMetadata... group) {
        return Assignor.assign(List.of(group));
    }

    private static List<@Nullable MemberId> owners(AssignmentPlan assignment) {
        return assignment.shares().stream().map(Share::owner).toList();
    }

    /** The number of partitions that each member owns. */
    private static Map<MemberId, Integer> loads(AssignmentPlan assignment) {
        Map<MemberId, Integer> loads = new HashMap<>();
        assignment.shares().forEach(share -> loads.merge(Objects.requireNonNull(share.owner()), 1, Integer::sum));
        return loads;
    }

    @Test
    void of_two_that_claim_to_lead_the_highest_term_counts() {
        AssignmentPlan assignment = assign(eligible(A, 1, Map.of(0, 5L)), eligible(B, 1, Map.of(0, 6L)));

        assertThat(assignment.shares()).containsExactly(new Share(B, B, 6L, A));
    }

    /** Its client may have been replaced without leaving the group. */
    @Test
    void a_member_that_is_in_the_group_twice_counts_once() {
        MemberMetadata leader = eligible(A, 2, Map.of(0, 5L, 1, 6L));

        AssignmentPlan assignment = assign(leader, leader, eligible(B, 2, Map.of()));

        assertThat(loads(assignment)).isEqualTo(Map.of(A, 1, B, 1));
        assertThat(assignment.shares())
                .allSatisfy(share -> assertThat(share.deputy()).isNotEqualTo(share.owner()));
    }

    @Test
    void an_ineligible_leader_loses_its_partition_but_its_term_counts() {
        AssignmentPlan assignment = assign(observing(A, 1, Map.of(0, 9L)), eligible(B, 1, Map.of()));

        assertThat(assignment.shares()).containsExactly(new Share(B, A, 9L, null));
        assertThat(assignment.partOf(A).countedEligible()).isFalse();
        assertThat(assignment.partOf(B).countedEligible()).isTrue();
    }

    @Test
    void the_group_config_of_the_leader_with_the_highest_term_is_in_force_whatever_the_priorities_in_others() {
        String another = "exclusive/2/other roles";
        AssignmentPlan assignment = assign(
                withPriority(9, A, 2, Map.of(0, 5L)),
                new MemberMetadata(B, true, Set.of(), 0, Map.of(1, 6L), another, 2),
                eligible(C, 2, Map.of()));

        assertThat(assignment.groupConfig()).isEqualTo(another);
        assertThat(loads(assignment)).isEqualTo(Map.of(B, 2));
        assertThat(assignment.shares().get(0).countedToken()).isNull();
        assertThat(assignment.members()).containsKeys(A, B, C);
    }

    @Test
    void while_nobody_leads_the_group_config_of_the_first_member_is_in_force() {
        AssignmentPlan assignment = assign(
                new MemberMetadata(B, true, Set.of(), 0, Map.of(), "non_exclusive/2/roles", 2),
                eligible(A, 2, Map.of()));

        assertThat(assignment.groupConfig()).isEqualTo(groupConfig(2));
        assertThat(loads(assignment)).isEqualTo(Map.of(A, 2));
    }

    @Test
    void a_partition_that_few_members_know_goes_to_one_of_these() {
        AssignmentPlan assignment = assign(
                new MemberMetadata(A, true, Set.of(), 9, Map.of(0, 5L, 1, 6L), "exclusive", 2),
                new MemberMetadata(B, true, Set.of(), 0, Map.of(), "exclusive", 3),
                new MemberMetadata(C, false, Set.of(), 0, Map.of(), "exclusive", 4));

        assertThat(owners(assignment)).containsExactly(A, A, B, null);
        assertThat(assignment.partOf(B).alone()).containsExactly(2);
    }

    @Test
    void a_deputy_is_the_next_member_of_the_same_priority_or_else_of_the_next_lower_one() {
        AssignmentPlan assignment = assign(
                withPriority(5, A, 1, Map.of(0, 7L)), withPriority(3, B, 1, Map.of()), withPriority(4, C, 1, Map.of()));
        assertThat(assignment.shares()).containsExactly(new Share(A, A, 7L, C));

        AssignmentPlan two = assign(
                withPriority(5, A, 2, Map.of(0, 7L)), withPriority(5, B, 2, Map.of()), withPriority(3, C, 2, Map.of()));
        assertThat(two.shares()).containsExactly(new Share(A, A, 7L, B), new Share(B, null, null, A));
    }

    @Test
    void where_each_owns_one_partition_each_is_a_deputy_once() {
        AssignmentPlan assignment =
                assign(eligible(A, 3, Map.of()), eligible(B, 3, Map.of()), eligible(C, 3, Map.of()));

        assertThat(assignment.shares()).extracting(Share::deputy).containsExactlyInAnyOrder(A, B, C);
    }

    @Test
    void a_member_receives_tokens_and_deputies_of_what_it_owns_or_led_only() {
        AssignmentPlan assignment = assign(
                eligible(A, 3, Map.of(0, 5L, 1, 6L)),
                observing(B, 3, Map.of(2, 7L)),
                eligible(C, 3, Map.of()),
                eligible(member("a", 9), 3, Map.of()));
        MemberPlan part = assignment.partOf(A);

        assertThat(part.members()).isEqualTo(4);
        assertThat(part.countedEligible()).isTrue();
        assertThat(part.alone()).isEmpty();
        for (MemberId member : List.of(A, B, C)) {
            for (int partition = 0; partition < 3; partition++) {
                Share share = assignment.shares().get(partition);
                MemberPlan.Share seen = assignment.partOf(member).share(partition);
                boolean concerned = member.equals(share.owner()) || member.equals(share.leader());
                MemberHash owner = Objects.requireNonNull(share.owner()).hash();
                MemberHash deputy = Objects.requireNonNull(share.deputy()).hash();
                assertThat(seen)
                        .isEqualTo(
                                concerned
                                        ? new MemberPlan.Share(owner, share.countedToken(), deputy)
                                        : new MemberPlan.Share(owner, null, null));
            }
        }
    }

    private static MemberMetadata excluded(MemberId member, Set<Integer> excluded, Map<Integer, Long> leading) {
        return new MemberMetadata(member, true, excluded, 0, leading, groupConfig(3), 3);
    }

    @Test
    void a_partition_goes_to_no_member_that_is_not_eligible_for_it_and_the_others_stay_until_it_is() {
        AssignmentPlan assignment = assign(
                excluded(A, Set.of(0), Map.of(0, 1L)),
                excluded(B, Set.of(), Map.of(1, 2L)),
                excluded(C, Set.of(), Map.of(2, 3L)));

        assertThat(assignment.shares().get(0)).isEqualTo(new Share(B, A, 1L, C));
        assertThat(owners(assignment)).containsExactly(B, B, C);
        AssignmentPlan next = assign(
                excluded(A, Set.of(0), Map.of()),
                excluded(B, Set.of(), Map.of(0, 4L, 1, 2L)),
                excluded(C, Set.of(), Map.of(2, 3L)));
        assertThat(owners(next))
                .as("one that led what it is paused for gets nothing instead")
                .containsExactly(B, B, C);
        AssignmentPlan last = assign(
                excluded(A, Set.of(), Map.of()),
                excluded(B, Set.of(), Map.of(0, 4L, 1, 2L)),
                excluded(C, Set.of(), Map.of(2, 3L)));
        assertThat(owners(last))
                .as("of what a member leads too much of, the latest term moves")
                .containsExactly(A, B, C);
    }

    @Test
    void a_partition_for_which_nobody_is_eligible_has_no_owner() {
        AssignmentPlan assignment = assign(excluded(A, Set.of(1), Map.of(1, 5L)), excluded(B, Set.of(1, 2), Map.of()));

        assertThat(assignment.shares().get(1)).isEqualTo(new Share(null, A, 5L, null));
        assertThat(assignment.shares().get(2)).isEqualTo(new Share(A, null, null, null));
        assertThat(assignment.shares().get(0)).isEqualTo(new Share(B, null, null, A));
    }

    @Test
    void a_member_of_lower_priority_owns_what_those_of_the_highest_are_not_eligible_for() {
        AssignmentPlan assignment = assign(
                new MemberMetadata(A, true, Set.of(1), 9, Map.of(), groupConfig(2), 2),
                new MemberMetadata(B, true, Set.of(), 0, Map.of(), groupConfig(2), 2));

        assertThat(assignment.shares()).containsExactly(new Share(A, null, null, B), new Share(B, null, null, null));
    }

    @Test
    void a_member_learns_for_which_partitions_it_was_counted_and_where_it_is_alone() {
        AssignmentPlan assignment = assign(
                excluded(A, Set.of(0), Map.of(0, 5L)), excluded(B, Set.of(0, 1), Map.of()), observing(C, 3, Map.of()));
        MemberPlan part = assignment.partOf(A);

        assertThat(part.countedEligible(0)).isFalse();
        assertThat(part.countedEligible(1)).isTrue();
        assertThat(part.alone()).as("nobody follows there").containsExactlyInAnyOrder(0, 1);
        assertThat(assignment.partOf(B).excluded()).containsExactlyInAnyOrder(0, 1);
        assertThat(assignment.partOf(C).countedEligible(2)).isFalse();
        assertThat(assignment.partOf(C).alone()).isEmpty();
        assertThat(assignment.partOf(null).countedEligible()).isNull();
        assertThat(assignment.partOf(null).alone()).isEmpty();
    }

    /**
     * With random pauses, nobody owns what it is paused for, no single move is fairer, and the next plan moves nothing.
     */
    @Test
    void every_group_with_paused_partitions_comes_to_rest() {
        Random random = new Random(20_261_122);
        for (int round = 0; round < 1_000; round++) {
            List<MemberMetadata> group = randomGroup(random).stream()
                    .map(member -> with(member, member.leading(), randomPartitions(random, member.partitions())))
                    .toList();
            AssignmentPlan assignment = Assignor.assign(group);
            for (int partition = 0; partition < assignment.shares().size(); partition++) {
                Share share = assignment.shares().get(partition);
                for (MemberMetadata member : group) {
                    if (member.isEligibleFor(partition)) {
                        assertThat(share.owner()).isNotNull();
                    } else {
                        assertThat(Arrays.asList(share.owner(), share.deputy())).doesNotContain(member.member());
                    }
                }
                assertThat(share.deputy() != null && share.deputy().equals(share.owner()))
                        .isFalse();
            }
            requireRest(group, assignment, Share::owner, random);
        }
    }

    /** Requires that, once these members lead in whatever terms, the next assignment moves nothing. */
    private static void requireRest(
            List<MemberMetadata> group,
            AssignmentPlan assignment,
            Function<Share, @Nullable MemberId> leader,
            Random random) {
        List<@Nullable MemberId> leaders =
                assignment.shares().stream().map(leader).toList();
        List<MemberMetadata> next = new ArrayList<>();
        for (MemberMetadata member : group) {
            Map<Integer, Long> leads = new HashMap<>();
            for (int partition = 0; partition < leaders.size(); partition++) {
                if (member.member().equals(leaders.get(partition))) {
                    leads.put(partition, (long) random.nextInt(1_000));
                }
            }
            next.add(with(member, leads, member.excluded()));
        }
        assertThat(owners(Assignor.assign(next))).isEqualTo(leaders);
    }

    private static MemberMetadata with(MemberMetadata member, Map<Integer, Long> leading, Set<Integer> excluded) {
        return new MemberMetadata(
                member.member(),
                member.eligible(),
                excluded,
                member.priority(),
                leading,
                member.groupConfig(),
                member.partitions());
    }

    private static Set<Integer> randomPartitions(Random random, int partitions) {
        Set<Integer> chosen = new HashSet<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            chosen.add(random.nextInt(partitions));
        }
        return chosen;
    }

    /**
     * Random groups are balanced to within one, whatever the order of the input, and at rest once each member leads
     * what it owns.
     */
    @Test
    void every_group_is_spread_within_one_and_comes_to_rest() {
        Random random = new Random(20_261_121);
        for (int round = 0; round < 1_000; round++) {
            List<MemberMetadata> group = randomGroup(random);
            AssignmentPlan assignment = Assignor.assign(group);
            Collections.shuffle(group, random);
            assertThat(Assignor.assign(group)).isEqualTo(assignment);

            OptionalInt highest = group.stream()
                    .filter(MemberMetadata::eligible)
                    .mapToInt(MemberMetadata::priority)
                    .max();
            if (highest.isEmpty()) {
                continue;
            }
            int partitions = group.get(0).partitions();
            List<MemberMetadata> first = group.stream()
                    .filter(member -> member.eligible() && member.priority() == highest.getAsInt())
                    .toList();
            Map<MemberId, Integer> loads = loads(assignment);
            assertThat(assignment.shares()).hasSize(partitions);
            assertThat(loads.keySet())
                    .isSubsetOf(first.stream().map(MemberMetadata::member).toList());
            first.forEach(member -> assertThat(loads.getOrDefault(member.member(), 0))
                    .isBetween(partitions / first.size(), (partitions + first.size() - 1) / first.size()));
            requireRest(group, assignment, Share::owner, random);
            requireDeputies(group, assignment, random);
        }
    }

    /** Requires that, when an owner leaves, its deputies get the partitions that it led. */
    private static void requireDeputies(List<MemberMetadata> group, AssignmentPlan assignment, Random random) {
        for (MemberMetadata leaver : group) {
            List<MemberMetadata> rest =
                    group.stream().filter(member -> member != leaver).toList();
            if (rest.stream().anyMatch(MemberMetadata::eligible)) {
                requireRest(
                        rest,
                        assignment,
                        share -> leaver.member().equals(share.owner()) ? share.deputy() : share.owner(),
                        random);
            } else {
                assertThat(assignment.shares()).extracting(Share::deputy).containsOnlyNulls();
            }
        }
    }

    private static List<MemberMetadata> randomGroup(Random random) {
        int partitions = 1 + random.nextInt(9);
        int members = 1 + random.nextInt(6);
        List<Map<Integer, Long>> leading =
                Stream.<Map<Integer, Long>>generate(HashMap::new).limit(members).toList();
        for (int partition = 0; partition < partitions; partition++) {
            for (int claims = random.nextInt(3); claims > 0; claims--) {
                leading.get(random.nextInt(members)).put(partition, (long) random.nextInt(1_000) * 3 + claims);
            }
        }
        List<MemberMetadata> group = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            group.add(new MemberMetadata(
                    member("m" + i, i),
                    random.nextInt(5) > 0,
                    Set.of(),
                    random.nextInt(2),
                    leading.get(i),
                    groupConfig(partitions),
                    partitions));
        }
        return group;
    }
}
