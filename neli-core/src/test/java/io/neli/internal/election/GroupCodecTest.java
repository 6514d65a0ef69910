package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import io.neli.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GroupCodecTest {

    private static final MemberId A = new MemberId("größe-1", new UUID(1, -1));
    private static final MemberId B = new MemberId("b", new UUID(2, 2));
    private static final String GROUP_CONFIG = new GroupConfig(Mode.NON_EXCLUSIVE, 3, "f00", 1).fingerprint();

    private static final MemberMetadata METADATA =
            new MemberMetadata(A, true, Set.of(2), -7, Map.of(0, 7L, 2, Long.MAX_VALUE), GROUP_CONFIG, 3);
    private static final MemberPlan PLAN = new MemberPlan(
            GROUP_CONFIG,
            1_000,
            true,
            Set.of(1, 3),
            Set.of(0),
            List.of(
                    new MemberPlan.Share(A.hash(), 7L, B.hash()),
                    new MemberPlan.Share(null, Long.MAX_VALUE, null),
                    new MemberPlan.Share(B.hash(), null, A.hash()),
                    new MemberPlan.Share(null, null, null)));

    @Test
    void member_metadata_is_read_as_it_was_written() {
        MemberMetadata plain =
                new MemberMetadata(B, false, Set.of(), 0, Map.of(), GROUP_CONFIG, GroupConfig.MOST_PARTITIONS);

        assertThat(GroupCodec.decodeMetadata(GroupCodec.encode(METADATA))).isEqualTo(METADATA);
        assertThat(GroupCodec.decodeMetadata(GroupCodec.encode(plain))).isEqualTo(plain);
    }

    @Test
    void a_plan_is_read_as_it_was_written() {
        assertThat(GroupCodec.decodePlan(GroupCodec.encode(PLAN))).isEqualTo(PLAN);
        for (Boolean counted : Arrays.asList(null, true, false)) {
            MemberPlan empty = new MemberPlan("", 0, counted, Set.of(), Set.of(), List.of());
            assertThat(GroupCodec.decodePlan(GroupCodec.encode(empty))).isEqualTo(empty);
        }
    }

    @Test
    void a_plan_of_more_members_than_one_byte_can_number_is_read_as_it_was_written() {
        List<MemberPlan.Share> shares = new ArrayList<>();
        for (int partition = 0; partition < 300; partition++) {
            shares.add(new MemberPlan.Share(new MemberHash(partition), (long) partition, new MemberHash(-partition)));
        }
        MemberPlan plan = new MemberPlan(GROUP_CONFIG, Integer.MAX_VALUE, null, Set.of(299), Set.of(), shares);

        assertThat(GroupCodec.decodePlan(GroupCodec.encode(plan))).isEqualTo(plan);
    }

    @Test
    void what_a_later_version_adds_at_the_end_is_ignored() {
        byte[] metadata = GroupCodec.encode(METADATA);
        byte[] plan = GroupCodec.encode(PLAN);

        assertThat(GroupCodec.decodeMetadata(Arrays.copyOf(metadata, metadata.length + 9)))
                .isEqualTo(METADATA);
        assertThat(GroupCodec.decodePlan(Arrays.copyOf(plan, plan.length + 9))).isEqualTo(PLAN);
    }

    @Test
    void another_version_is_refused() {
        byte[] bytes = GroupCodec.encode(METADATA);
        bytes[0] = 2;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupCodec.decodeMetadata(bytes))
                .withMessageContaining("version 2");
    }

    @Test
    void what_is_cut_off_is_refused() {
        byte[] metadata = GroupCodec.encode(METADATA);
        for (int length = 0; length < metadata.length; length++) {
            byte[] part = Arrays.copyOf(metadata, length);
            assertThatIllegalArgumentException().isThrownBy(() -> GroupCodec.decodeMetadata(part));
        }
        byte[] plan = GroupCodec.encode(PLAN);
        for (int length = 0; length < plan.length; length++) {
            byte[] part = Arrays.copyOf(plan, length);
            assertThatIllegalArgumentException().isThrownBy(() -> GroupCodec.decodePlan(part));
        }
    }

    private static void assertRefused(MemberMetadata metadata) {
        byte[] bytes = GroupCodec.encode(metadata);
        assertThatIllegalArgumentException().isThrownBy(() -> GroupCodec.decodeMetadata(bytes));
    }

    private static void assertRefused(MemberPlan plan) {
        byte[] bytes = GroupCodec.encode(plan);
        assertThatIllegalArgumentException().isThrownBy(() -> GroupCodec.decodePlan(bytes));
    }

    @Test
    void partitions_out_of_range_are_refused() {
        for (int partitions : List.of(0, GroupConfig.MOST_PARTITIONS + 1, Integer.MAX_VALUE)) {
            assertRefused(new MemberMetadata(A, true, Set.of(), 0, Map.of(), GROUP_CONFIG, partitions));
        }
        assertRefused(new MemberMetadata(A, true, Set.of(), 0, Map.of(3, 1L), GROUP_CONFIG, 3));
        assertRefused(new MemberMetadata(A, true, Set.of(3), 0, Map.of(), GROUP_CONFIG, 3));
        for (Set<Integer> wrong : List.of(Set.of(1), Set.of(0, 1))) {
            MemberPlan.Share share = new MemberPlan.Share(null, null, null);
            assertRefused(new MemberPlan("", 1, true, wrong, Set.of(), List.of(share)));
            assertRefused(new MemberPlan("", 1, true, Set.of(), wrong, List.of(share)));
        }
    }

    /**
     * Kafka stores a group in one record of at most about a megabyte, with each member's subscription and assignment.
     * The names here are as long as those of Kubernetes pods usually are.
     */
    @ParameterizedTest
    @CsvSource({"1000, 1", "100, 1000", "14, 1000"})
    void the_assignments_of_a_large_group_take_less_than_half_a_megabyte(int members, int partitions) {
        String groupConfig = new GroupConfig(Mode.NON_EXCLUSIVE, partitions, "0123456789abcdef", 1).fingerprint();
        Random random = new Random(20_261_121);
        List<MemberMetadata> group = new ArrayList<>();
        for (int number = 0; number < members; number++) {
            MemberId id = new MemberId(
                    "invoicing-service-5d8f9c7b6d-" + number + "_1_2026-11-21T10:15:30",
                    new UUID(random.nextLong(), random.nextLong()));
            Map<Integer, Long> leading = new HashMap<>();
            for (int partition = number; partition < partitions; partition += members) {
                leading.put(partition, 1_763_720_130_000L + partition);
            }
            group.add(new MemberMetadata(id, true, Set.of(), 0, leading, groupConfig, partitions));
        }
        int subscriptions = group.stream()
                .mapToInt(member -> GroupCodec.encode(member).length)
                .sum();
        AssignmentPlan plan = Assignor.assign(group);
        int assignments = group.stream()
                .mapToInt(member -> GroupCodec.encode(plan.partOf(member.member())).length)
                .sum();

        assertThat(assignments).isLessThan(500_000);
        assertThat(assignments + subscriptions).isLessThan(750_000);
    }
}
