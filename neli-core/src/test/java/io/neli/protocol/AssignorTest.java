package io.neli.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AssignorTest {

    private static final MemberId A = member("a", 1);
    private static final MemberId B = member("b", 2);
    private static final MemberId C = member("c", 3);

    private static MemberId member(String name, long incarnation) {
        return new MemberId(name, new UUID(0, incarnation));
    }

    private static Agreement agreement(int partitions) {
        return new Agreement(Mode.EXCLUSIVE, partitions, "roles");
    }

    private static Subscription standing(MemberId member, int partitions, Map<Integer, Long> leading) {
        return new Subscription(member, true, leading, agreement(partitions));
    }

    private static Subscription observing(MemberId member, int partitions, Map<Integer, Long> leading) {
        return new Subscription(member, false, leading, agreement(partitions));
    }

    private static MemberId owner(Assignment assignment, int partition) {
        return Objects.requireNonNull(assignment.share(partition).owner());
    }

    /** How many partitions each owns. */
    private static Map<MemberId, Integer> loads(Assignment assignment) {
        Map<MemberId, Integer> loads = new HashMap<>();
        assignment
                .shares()
                .values()
                .forEach(share -> loads.merge(Objects.requireNonNull(share.owner()), 1, Integer::sum));
        return loads;
    }

    @Test
    void aPartitionStaysWithTheMemberThatLeadsIt() {
        Assignment assignment = Assignor.assign(
                List.of(standing(A, 3, Map.of(2, 5L)), standing(B, 3, Map.of(0, 6L)), standing(C, 3, Map.of(1, 4L))));

        assertThat(owner(assignment, 0)).isEqualTo(B);
        assertThat(owner(assignment, 1)).isEqualTo(C);
        assertThat(owner(assignment, 2)).isEqualTo(A);
        assertThat(assignment.share(2).countedToken()).isEqualTo(5L);
    }

    @Test
    void ofTwoThatClaimToLeadTheHighestTermCounts() {
        Assignment assignment = Assignor.assign(List.of(standing(A, 1, Map.of(0, 5L)), standing(B, 1, Map.of(0, 6L))));

        assertThat(assignment.share(0)).isEqualTo(new Assignment.Share(B, 6L));
    }

    @Test
    void nobodyKeepsMoreThanItsShare() {
        Map<Integer, Long> all = Map.of(0, 1L, 1, 1L, 2, 1L, 3, 1L);
        Assignment assignment = Assignor.assign(List.of(standing(A, 4, Map.of()), standing(B, 4, all)));

        assertThat(loads(assignment)).isEqualTo(Map.of(A, 2, B, 2));
        assertThat(owner(assignment, 0)).isEqualTo(B);
        assertThat(owner(assignment, 1)).isEqualTo(B);
    }

    @Test
    void oneMoreGoesToThoseThatLeadMost() {
        Assignment assignment = Assignor.assign(List.of(
                standing(A, 5, Map.of(0, 1L)),
                standing(B, 5, Map.of(1, 1L, 2, 1L)),
                standing(C, 5, Map.of(3, 1L, 4, 1L))));

        assertThat(loads(assignment)).isEqualTo(Map.of(A, 1, B, 2, C, 2));
    }

    @Test
    void whatIsFreeGoesToTheLeastLoaded() {
        Assignment assignment = Assignor.assign(
                List.of(standing(A, 3, Map.of(0, 1L)), standing(B, 3, Map.of()), standing(C, 3, Map.of(2, 1L))));

        assertThat(owner(assignment, 1)).isEqualTo(B);
    }

    @Test
    void aLeaderThatDoesNotStandLosesItsPartitionButItsTermIsCountedOn() {
        Assignment assignment = Assignor.assign(List.of(observing(A, 1, Map.of(0, 9L)), standing(B, 1, Map.of())));

        assertThat(assignment.share(0)).isEqualTo(new Assignment.Share(B, 9L));
        assertThat(assignment.standing()).isEqualTo(Map.of(A, false, B, true));
    }

    @Test
    void whereNobodyStandsNobodyOwns() {
        Assignment assignment = Assignor.assign(List.of(observing(A, 2, Map.of(0, 9L)), observing(B, 2, Map.of())));

        assertThat(assignment.share(0)).isEqualTo(new Assignment.Share(null, 9L));
        assertThat(assignment.share(1)).isEqualTo(new Assignment.Share(null, null));
    }

    @Test
    void withOnePartitionNoJoinMovesTheLeader() {
        for (MemberId leader : List.of(A, B, C)) {
            List<Subscription> members = new ArrayList<>();
            members.add(standing(leader, 1, Map.of(0, 3L)));
            for (MemberId other : List.of(A, B, C)) {
                if (!other.equals(leader)) {
                    members.add(standing(other, 1, Map.of()));
                }
                assertThat(owner(Assignor.assign(members), 0)).isEqualTo(leader);
            }
        }
    }

    @Test
    void withOnePartitionNoLeaveMovesTheLeader() {
        assertThat(owner(Assignor.assign(List.of(standing(A, 1, Map.of()), standing(C, 1, Map.of(0, 3L)))), 0))
                .isEqualTo(C);
        assertThat(owner(Assignor.assign(List.of(standing(C, 1, Map.of(0, 3L)))), 0))
                .isEqualTo(C);
    }

    @Test
    void theAgreementOfTheLeaderWithTheHighestTermIsInForce() {
        Agreement another = new Agreement(Mode.EXCLUSIVE, 2, "other roles");
        Assignment assignment = Assignor.assign(List.of(
                standing(A, 2, Map.of(0, 5L)),
                new Subscription(B, true, Map.of(1, 6L), another),
                standing(C, 2, Map.of())));

        assertThat(assignment.agreement()).isEqualTo(another);
        assertThat(loads(assignment)).isEqualTo(Map.of(B, 2));
        assertThat(assignment.share(0).countedToken()).isNull();
        assertThat(assignment.standing()).containsKeys(A, B, C);
    }

    @Test
    void whileNobodyLeadsTheAgreementOfTheFirstMemberIsInForce() {
        Agreement another = new Agreement(Mode.NON_EXCLUSIVE, 2, "roles");
        Assignment assignment =
                Assignor.assign(List.of(new Subscription(B, true, Map.of(), another), standing(A, 2, Map.of())));

        assertThat(assignment.agreement()).isEqualTo(agreement(2));
        assertThat(loads(assignment)).isEqualTo(Map.of(A, 2));
    }

    /** Random groups: even to within one, whatever the order of the input, and at rest once everybody has what it owns. */
    @Test
    void everyGroupIsSpreadWithinOneAndComesToRest() {
        Random random = new Random(20_261_121);
        for (int round = 0; round < 3_000; round++) {
            List<Subscription> group = randomGroup(random);
            Assignment assignment = Assignor.assign(group);
            Collections.shuffle(group, random);
            assertThat(Assignor.assign(group)).isEqualTo(assignment);

            long standing = group.stream().filter(Subscription::standing).count();
            if (standing == 0) {
                continue;
            }
            int partitions = group.get(0).agreement().partitions();
            Map<MemberId, Integer> loads = loads(assignment);
            assertThat(loads.values().stream().mapToInt(Integer::intValue).sum())
                    .isEqualTo(partitions);
            group.stream().filter(Subscription::standing).forEach(member -> assertThat(
                            loads.getOrDefault(member.member(), 0))
                    .isBetween((int) (partitions / standing), (int) ((partitions + standing - 1) / standing)));

            List<Subscription> next = new ArrayList<>();
            for (Subscription member : group) {
                Map<Integer, Long> leads = new HashMap<>();
                assignment.shares().forEach((partition, share) -> {
                    if (member.member().equals(share.owner())) {
                        leads.put(partition, 1_000L + partition);
                    }
                });
                next.add(new Subscription(member.member(), member.standing(), leads, member.agreement()));
            }
            Assignment again = Assignor.assign(next);
            for (int partition = 0; partition < partitions; partition++) {
                assertThat(owner(again, partition)).isEqualTo(owner(assignment, partition));
            }
        }
    }

    private static List<Subscription> randomGroup(Random random) {
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
        List<Subscription> group = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            boolean stands = random.nextInt(5) > 0;
            group.add(new Subscription(member("m" + i, i), stands, leading.get(i), agreement(partitions)));
        }
        return group;
    }
}
