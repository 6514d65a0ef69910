package io.neli.internal.shell;

import java.util.List;

import io.neli.Mode;
import io.neli.internal.election.GroupConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConflictReportTest {

    private static final List<String> ROLES = List.of("invoices", "reports");

    private static List<String> differences(GroupConfig there, GroupConfig here) {
        return ConflictReport.differences(there.fingerprint(), here.fingerprint(), ROLES);
    }

    @Test
    void each_setting_that_differs_is_named_with_both_values() {
        GroupConfig own = new GroupConfig(Mode.EXCLUSIVE, ROLES, 1);

        assertThat(differences(new GroupConfig(Mode.NON_EXCLUSIVE, ROLES, 1), own))
                .containsExactly("neli.mode is 'non-exclusive' there and 'exclusive' here");
        assertThat(differences(new GroupConfig(Mode.EXCLUSIVE, ROLES, 3), own))
                .containsExactly("neli.quorum is '3' there and '1' here");
        assertThat(differences(new GroupConfig(Mode.EXCLUSIVE, 4, "none", 3), own))
                .containsExactly(
                        "neli.partitions is '4' there and 'not set' here", "neli.quorum is '3' there and '1' here");
        assertThat(differences(own, new GroupConfig(Mode.EXCLUSIVE, 4, "none", 1)))
                .containsExactly("neli.partitions is 'not set' there and '4' here");
    }

    @Test
    void where_only_the_roles_differ_those_of_this_member_are_named() {
        assertThat(differences(
                        new GroupConfig(Mode.EXCLUSIVE, 2, "one list", 1),
                        new GroupConfig(Mode.EXCLUSIVE, 2, "another", 1)))
                .containsExactly("neli.roles differ: here they are [invoices, reports]");
    }
}
