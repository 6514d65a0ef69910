package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

import io.neli.Mode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AssignorTest {

    private static final MemberId A = member("a", 1);
    private static final MemberId B = member("b", 2);
    private static final MemberId C = member("c", 3);

    private static MemberId member(String name, long incarnation) {
        return new MemberId(name, new UUID(0, incarnation));
    }

    private static GroupConfig groupConfig(int partitions) {
        return new GroupConfig(Mode.EXCLUSIVE, partitions, "roles");
    }

    private static MemberMetadata eligible(MemberId member, int partitions, Map<Integer, Long> leading) {
        return new MemberMetadata(member, true, leading, groupConfig(partitions));
    }

    private static MemberMetadata observing(MemberId member, int partitions, Map<Integer, Long> leading) {
        return new MemberMetadata(member, false, leading, groupConfig(partitions));
    }

    private static MemberId owner(AssignmentPlan assignment, int partition) {
        return Objects.requireNonNull(assignment.share(partition).owner());
    }

    /** How many partitions each owns. */
    private static Map<MemberId, Integer> loads(AssignmentPlan assignment) {
        Map<MemberId, Integer> loads = new HashMap<>();
        assignment
                .shares()
                .values()
                .forEach(share -> loads.merge(Objects.requireNonNull(share.owner()), 1, Integer::sum));
        return loads;
    }

    @Test
    void a_partition_stays_with_the_member_that_leads_it() {
        AssignmentPlan assignment = Assignor.assign(
                List.of(eligible(A, 3, Map.of(2, 5L)), eligible(B, 3, Map.of(0, 6L)), eligible(C, 3, Map.of(1, 4L))));

        assertThat(owner(assignment, 0)).isEqualTo(B);
        assertThat(owner(assignment, 1)).isEqualTo(C);
        assertThat(owner(assignment, 2)).isEqualTo(A);
        assertThat(assignment.share(2).countedToken()).isEqualTo(5L);
    }

    @Test
    void of_two_that_claim_to_lead_the_highest_term_counts() {
        AssignmentPlan assignment =
                Assignor.assign(List.of(eligible(A, 1, Map.of(0, 5L)), eligible(B, 1, Map.of(0, 6L))));

        assertThat(assignment.share(0)).isEqualTo(new AssignmentPlan.Share(B, 6L));
    }

    @Test
    void nobody_keeps_more_than_its_share() {
        Map<Integer, Long> all = Map.of(0, 1L, 1, 1L, 2, 1L, 3, 1L);
        AssignmentPlan assignment = Assignor.assign(List.of(eligible(A, 4, Map.of()), eligible(B, 4, all)));

        assertThat(loads(assignment)).isEqualTo(Map.of(A, 2, B, 2));
        assertThat(owner(assignment, 0)).isEqualTo(B);
        assertThat(owner(assignment, 1)).isEqualTo(B);
    }

    @Test
    void one_more_goes_to_those_that_lead_most() {
        AssignmentPlan assignment = Assignor.assign(List.of(
                eligible(A, 5, Map.of(0, 1L)),
                eligible(B, 5, Map.of(1, 1L, 2, 1L)),
                eligible(C, 5, Map.of(3, 1L, 4, 1L))));

        assertThat(loads(assignment)).isEqualTo(Map.of(A, 1, B, 2, C, 2));
    }

    @Test
    void what_is_free_goes_to_the_least_loaded() {
        AssignmentPlan assignment = Assignor.assign(
                List.of(eligible(A, 3, Map.of(0, 1L)), eligible(B, 3, Map.of()), eligible(C, 3, Map.of(2, 1L))));

        assertThat(owner(assignment, 1)).isEqualTo(B);
    }

    @Test
    void an_ineligible_leader_loses_its_partition_but_its_term_counts() {
        AssignmentPlan assignment = Assignor.assign(List.of(observing(A, 1, Map.of(0, 9L)), eligible(B, 1, Map.of())));

        assertThat(assignment.share(0)).isEqualTo(new AssignmentPlan.Share(B, 9L));
        assertThat(assignment.eligible()).isEqualTo(Map.of(A, false, B, true));
    }

    @Test
    void where_nobody_is_eligible_nobody_owns() {
        AssignmentPlan assignment = Assignor.assign(List.of(observing(A, 2, Map.of(0, 9L)), observing(B, 2, Map.of())));

        assertThat(assignment.share(0)).isEqualTo(new AssignmentPlan.Share(null, 9L));
        assertThat(assignment.share(1)).isEqualTo(new AssignmentPlan.Share(null, null));
    }

    @Test
    void with_one_partition_no_join_moves_the_leader() {
        for (MemberId leader : List.of(A, B, C)) {
            List<MemberMetadata> members = new ArrayList<>();
            members.add(eligible(leader, 1, Map.of(0, 3L)));
            for (MemberId other : List.of(A, B, C)) {
                if (!other.equals(leader)) {
                    members.add(eligible(other, 1, Map.of()));
                }
                assertThat(owner(Assignor.assign(members), 0)).isEqualTo(leader);
            }
        }
    }

    @Test
    void with_one_partition_no_leave_moves_the_leader() {
        assertThat(owner(Assignor.assign(List.of(eligible(A, 1, Map.of()), eligible(C, 1, Map.of(0, 3L)))), 0))
                .isEqualTo(C);
        assertThat(owner(Assignor.assign(List.of(eligible(C, 1, Map.of(0, 3L)))), 0))
                .isEqualTo(C);
    }

    @Test
    void the_group_config_of_the_leader_with_the_highest_term_is_in_force() {
        GroupConfig another = new GroupConfig(Mode.EXCLUSIVE, 2, "other roles");
        AssignmentPlan assignment = Assignor.assign(List.of(
                eligible(A, 2, Map.of(0, 5L)),
                new MemberMetadata(B, true, Map.of(1, 6L), another),
                eligible(C, 2, Map.of())));

        assertThat(assignment.groupConfig()).isEqualTo(another);
        assertThat(loads(assignment)).isEqualTo(Map.of(B, 2));
        assertThat(assignment.share(0).countedToken()).isNull();
        assertThat(assignment.eligible()).containsKeys(A, B, C);
    }

    @Test
    void while_nobody_leads_the_group_config_of_the_first_member_is_in_force() {
        GroupConfig another = new GroupConfig(Mode.NON_EXCLUSIVE, 2, "roles");
        AssignmentPlan assignment =
                Assignor.assign(List.of(new MemberMetadata(B, true, Map.of(), another), eligible(A, 2, Map.of())));

        assertThat(assignment.groupConfig()).isEqualTo(groupConfig(2));
        assertThat(loads(assignment)).isEqualTo(Map.of(A, 2));
    }

    /** Random groups: even to within one, whatever the order of the input, and at rest once everybody has what it owns. */
    @Test
    void every_group_is_spread_within_one_and_comes_to_rest() {
        Random random = new Random(20_261_121);
        for (int round = 0; round < 3_000; round++) {
            List<MemberMetadata> group = randomGroup(random);
            AssignmentPlan assignment = Assignor.assign(group);
            Collections.shuffle(group, random);
            assertThat(Assignor.assign(group)).isEqualTo(assignment);

            long eligible = group.stream().filter(MemberMetadata::eligible).count();
            if (eligible == 0) {
                continue;
            }
            int partitions = group.get(0).groupConfig().partitions();
            Map<MemberId, Integer> loads = loads(assignment);
            assertThat(loads.values().stream().mapToInt(Integer::intValue).sum())
                    .isEqualTo(partitions);
            group.stream().filter(MemberMetadata::eligible).forEach(member -> assertThat(
                            loads.getOrDefault(member.member(), 0))
                    .isBetween((int) (partitions / eligible), (int) ((partitions + eligible - 1) / eligible)));

            List<MemberMetadata> next = new ArrayList<>();
            for (MemberMetadata member : group) {
                Map<Integer, Long> leads = new HashMap<>();
                assignment.shares().forEach((partition, share) -> {
                    if (member.member().equals(share.owner())) {
                        leads.put(partition, 1_000L + partition);
                    }
                });
                next.add(new MemberMetadata(member.member(), member.eligible(), leads, member.groupConfig()));
            }
            AssignmentPlan again = Assignor.assign(next);
            for (int partition = 0; partition < partitions; partition++) {
                assertThat(owner(again, partition)).isEqualTo(owner(assignment, partition));
            }
        }
    }

    private static List<MemberMetadata> randomGroup(Random random) {
        int partitions = 1 + random.nextInt(9);
        int members = 1 + random.nextInt(6);
        List<Map<Integer, Long>> leading = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            leading.add(new HashMap<>());
        }
        for (int partition = 0; partition < partitions; partition++) {
            for (int claims = random.nextInt(3); claims > 0; claims--) {
                leading.get(random.nextInt(members)).put(partition, (long) random.nextInt(1_000) * 3 + claims);
            }
        }
        List<MemberMetadata> group = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            boolean isEligible = random.nextInt(5) > 0;
            group.add(new MemberMetadata(member("m" + i, i), isEligible, leading.get(i), groupConfig(partitions)));
        }
        return group;
    }
}
