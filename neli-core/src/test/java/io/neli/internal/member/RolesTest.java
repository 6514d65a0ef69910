package io.neli.internal.member;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.neli.Mode;
import io.neli.NeliException;
import io.neli.internal.election.GroupConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RolesTest {

    private static final Roles NONE = Roles.checked(List.of(), 4);
    private static final Roles THREE = Roles.checked(List.of("a", "b", "c"), null);
    private static final Roles FIVE = Roles.checked(List.of("a", "b", "c", "d", "e"), 4);

    @Test
    void listed_roles_map_to_the_partitions_in_turn_and_the_first_is_meant_where_none_is_named() {
        assertThat(FIVE.first()).isEqualTo("a");
        assertThat(List.of("a", "b", "c", "d", "e").stream().map(FIVE::partitionOf))
                .containsExactly(0, 1, 2, 3, 0);
        assertThat(IntStream.range(0, 4).mapToObj(FIVE::announcedOn))
                .containsExactly(List.of("a", "e"), List.of("b"), List.of("c"), List.of("d"));
    }

    @Test
    void without_a_list_there_is_the_default_role_and_other_partitions_are_announced_by_their_own_names() {
        assertThat(NONE.first()).isEqualTo("default");
        assertThat(NONE.partitionOf("default")).isZero();
        assertThat(IntStream.range(0, 4).mapToObj(NONE::announcedOn))
                .containsExactly(
                        List.of("default"), List.of("partition-1"), List.of("partition-2"), List.of("partition-3"));
        Roles one = Roles.checked(List.of("a"), 3);
        assertThat(IntStream.range(0, 3).mapToObj(one::announcedOn))
                .containsExactly(List.of("a"), List.of("partition-1"), List.of("partition-2"));
    }

    @Test
    void the_default_role_maps_to_partition_zero_unless_it_is_listed() {
        assertThat(FIVE.partitionOf("default")).isZero();
        Roles listed = Roles.checked(List.of("a", "default"), 4);
        assertThat(listed.partitionOf("default")).isEqualTo(1);
        assertThat(listed.announcedOn(1)).containsExactly("default");
    }

    @Test
    void a_partitions_own_name_denotes_it() {
        for (int partition = 0; partition < 4; partition++) {
            assertThat(FIVE.partitionOf("partition-" + partition)).isEqualTo(partition);
        }
        assertThat(FIVE.partitionOf("partition-4")).isEqualTo(crc(1_742_865_552L));
    }

    /** Checksums computed with Python's {@code zlib.crc32(name.encode("utf-8"))}. */
    @Test
    void any_other_name_maps_to_the_partition_of_its_checksum() {
        assertThat(FIVE.partitionOf("invoices")).isEqualTo(crc(1_781_477_269L));
        assertThat(FIVE.partitionOf("Mahnläufe")).isEqualTo(crc(1_419_697_410L));
        assertThat(FIVE.partitionOf("")).isEqualTo(crc(0));
        assertThat(Roles.checked(List.of(), 10_000).partitionOf("invoices")).isEqualTo((int) (1_781_477_269L % 10_000));
    }

    @Test
    void where_roles_may_be_added_each_has_a_partition_of_its_own_and_no_other_name_is_a_role() {
        assertThat(List.of("a", "b", "c", "default", "partition-2").stream().map(THREE::partitionOf))
                .containsExactly(0, 1, 2, 0, 2);
        for (String unknown : List.of("d", "", "partition-3")) {
            assertThatThrownBy(() -> THREE.partitionOf(unknown))
                    .isInstanceOf(NeliException.class)
                    .hasMessage(
                            "the role is '%s': neli.roles, which are [a, b, c], do not have it; add it at the end of"
                                    + " neli.roles, or set neli.partitions, with which any name is a role",
                            unknown);
        }
    }

    @Test
    void where_roles_may_be_added_members_agree_on_each_one_by_itself() {
        assertThat(THREE.groupConfig(Mode.EXCLUSIVE, 3))
                .isEqualTo(new GroupConfig(Mode.EXCLUSIVE, List.of("a", "b", "c"), 3));
        assertThat(Roles.checked(List.of(), null).groupConfig(Mode.EXCLUSIVE, 1))
                .isEqualTo(new GroupConfig(Mode.EXCLUSIVE, List.of("default"), 1));
        assertThat(Roles.checked(List.of("a", "b"), 2).groupConfig(Mode.EXCLUSIVE, 1))
                .isEqualTo(new GroupConfig(
                        Mode.EXCLUSIVE, 2, Roles.checked(List.of("a", "b"), 2).fingerprint(), 1));
    }

    private static int crc(long checksum) {
        return (int) (checksum % 4);
    }

    /** By Python's hashlib.sha256(b"".join(struct.pack(">i", len(n)) + n for n in names)).hexdigest()[:16]. */
    @Test
    void the_fingerprint_distinguishes_lists() {
        assertThat(NONE.fingerprint()).isEqualTo("none");
        assertThat(FIVE.fingerprint()).isEqualTo("f5a065bd05d9cbb7");
        assertThat(Roles.checked(List.of("Mahnläufe"), 1).fingerprint()).isEqualTo("fcb78efbf614f3d3");

        assertThat(fingerprint("a", "b", "c", "d", "e")).isEqualTo(FIVE.fingerprint());
        assertThat(fingerprint("b", "a")).isNotEqualTo(fingerprint("a", "b"));
        assertThat(fingerprint("ab", "c")).isNotEqualTo(fingerprint("a", "bc"));
        assertThat(fingerprint("none")).isNotEqualTo("none");
    }

    private static String fingerprint(String... listed) {
        return Roles.checked(Arrays.asList(listed), 1).fingerprint();
    }
}
