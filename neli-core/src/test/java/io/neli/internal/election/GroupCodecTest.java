package io.neli.internal.election;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import io.neli.Mode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GroupCodecTest {

    private static final MemberId A = new MemberId("größe-1", new UUID(1, -1));
    private static final MemberId B = new MemberId("b", new UUID(2, 2));
    private static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.NON_EXCLUSIVE, 3, "f00");

    private static final MemberMetadata SUBSCRIPTION =
            new MemberMetadata(A, true, Map.of(0, 7L, 2, Long.MAX_VALUE), GROUP_CONFIG);
    private static final AssignmentPlan ASSIGNMENT = new AssignmentPlan(
            GROUP_CONFIG,
            Map.of(A, true, B, false),
            Map.of(
                    0, new AssignmentPlan.Share(A, 7L),
                    1, new AssignmentPlan.Share(null, 9L),
                    2, new AssignmentPlan.Share(B, null),
                    3, new AssignmentPlan.Share(null, null)));

    @Test
    void member_metadata_is_read_as_it_was_written() {
        MemberMetadata plain = new MemberMetadata(B, false, Map.of(), GROUP_CONFIG);

        assertThat(GroupCodec.decodeMetadata(GroupCodec.encode(SUBSCRIPTION))).isEqualTo(SUBSCRIPTION);
        assertThat(GroupCodec.decodeMetadata(GroupCodec.encode(plain))).isEqualTo(plain);
    }

    @Test
    void an_assignment_plan_is_read_as_it_was_written() {
        AssignmentPlan empty = new AssignmentPlan(GROUP_CONFIG, Map.of(), Map.of());

        assertThat(GroupCodec.decodePlan(GroupCodec.encode(ASSIGNMENT))).isEqualTo(ASSIGNMENT);
        assertThat(GroupCodec.decodePlan(GroupCodec.encode(empty))).isEqualTo(empty);
    }

    @Test
    void another_version_is_refused() {
        byte[] bytes = GroupCodec.encode(SUBSCRIPTION);
        bytes[0] = 2;

        assertThatThrownBy(() -> GroupCodec.decodeMetadata(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void what_is_cut_off_is_refused() {
        byte[] subscription = GroupCodec.encode(SUBSCRIPTION);
        for (int length = 0; length < subscription.length; length++) {
            byte[] part = Arrays.copyOf(subscription, length);
            assertThatThrownBy(() -> GroupCodec.decodeMetadata(part)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] assignment = GroupCodec.encode(ASSIGNMENT);
        for (int length = 0; length < assignment.length; length++) {
            byte[] part = Arrays.copyOf(assignment, length);
            assertThatThrownBy(() -> GroupCodec.decodePlan(part)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void garbage_is_refused_or_read_but_nothing_else_happens() {
        Random random = new Random(20_261_121);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = GroupCodec.encode(ASSIGNMENT);
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(GroupCodec.decodePlan(bytes)).isNotNull();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
            try {
                assertThat(GroupCodec.decodeMetadata(bytes)).isNotNull();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
    }
}
