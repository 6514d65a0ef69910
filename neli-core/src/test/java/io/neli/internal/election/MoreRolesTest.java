package io.neli.internal.election;

import java.util.List;
import java.util.Set;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each partition has its own role, and other members may know more, fewer or different ones. */
class MoreRolesTest extends WholeElection {

    private static final GroupConfig ABC = config(List.of("a", "b", "c"));

    MoreRolesTest() {
        super(ABC);
    }

    private static GroupConfig config(List<String> roles) {
        return new GroupConfig(Mode.EXCLUSIVE, roles, 1);
    }

    private Set<Integer> excluded() {
        return state.excludedAt(moment().time());
    }

    private static LogRecord.Claim claim(PartitionConfig config) {
        return Records.claim(OTHER, 0, LEASE, config);
    }

    private static PartitionConfig role(String role) {
        return new PartitionConfig("exclusive", role);
    }

    @Test
    void another_role_keeps_a_member_out_of_its_partition_and_those_after_it() {
        opensAll();
        for (int partition = 0; partition < 3; partition++) {
            leads(partition);
        }
        reads(1, claim(role("x")));

        assertThat(List.of(state(0), state(1), state(2))).containsExactly(State.LEADING, State.STANDBY, State.DRAINING);
        assertThat(excluded()).containsExactlyInAnyOrder(1, 2);
        assertThat(state.conflict()).isEqualTo(Conflict.ROLES);
        assertThat(state.eligibility().isEligibleAt(moment().time())).isTrue();
        assertThat(events()).last().isInstanceOfSatisfying(LeaderRevoked.class, event -> assertThat(event.reason())
                .isEqualTo(RevokeReason.CONFLICT));
    }

    @Test
    void the_first_partition_with_another_role_counts() {
        opensAll();
        reads(2, claim(role("b")));
        assertThat(excluded()).containsExactly(2);

        reads(1, claim(role("x")));
        assertThat(excluded()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void another_role_counts_until_a_lease_after_the_end_of_its_term() {
        opensAll();
        long term = reads(1, claim(role("x")));
        passes(2_009);
        assertThat(excluded()).isNotEmpty();
        passes(1);
        assertThat(excluded()).isEmpty();
        assertThat(state.conflict()).isEqualTo(Conflict.NONE);

        reads(1, Records.heartbeat(OTHER, 1, LEASE, role("x"), term, true, 0));
        assertThat(excluded()).isNotEmpty();
        reads(1, Records.resign(OTHER, term));
        passes(999);
        assertThat(excluded()).isNotEmpty();
        passes(1);
        assertThat(excluded()).isEmpty();
    }

    @Test
    void a_member_that_knows_more_roles_or_fewer_is_no_conflict() {
        opensAll();
        reads(0, claim(config(List.of("a")).of(0)));
        reads(1, claim(config(List.of("a", "b", "c", "d")).of(1)));

        assertThat(excluded()).isEmpty();
        assertThat(state.conflict()).isEqualTo(Conflict.NONE);
    }

    @Test
    void another_mode_or_quorum_or_a_given_number_of_partitions_keeps_a_member_out_of_all() {
        for (GroupConfig other : List.of(
                new GroupConfig(Mode.NON_EXCLUSIVE, ABC.roles(), 1),
                new GroupConfig(Mode.EXCLUSIVE, ABC.roles(), 3),
                new GroupConfig(Mode.EXCLUSIVE, 3, "fingerprint", 1))) {
            state = election.initial(true);
            opensAll();
            reads(2, claim(other.of(2)));

            assertThat(state.conflict()).isEqualTo(Conflict.GROUP_CONFIG);
            assertThat(state.eligibility().isEligibleAt(moment().time())).isFalse();
            passes(2_010);
        }
    }

    @Test
    void a_leader_with_another_role_has_waited_for_earlier_leases_like_any_other() {
        opens(1, 50, 50);
        reads(1, Records.heartbeat(OTHER, 1, LEASE, role("x"), 7, true, 50));
        reads(1, Records.resign(OTHER, 7));

        assertThat(state.partitions().get(1).logs().get(0).view.othersBound()).isEqualTo(MonotonicTime.PAST);
    }

    @Test
    void an_assignment_of_members_that_know_fewer_roles_names_no_owner_of_the_others() {
        opensAll();
        MemberPlan.Share owned = new MemberPlan.Share(OTHER.hash(), null, null);
        take(election.assigned(
                state, new MemberPlan("exclusive", 2, true, Set.of(), Set.of(), List.of(owned, owned)), moment()));

        assertThat(state.partitions())
                .extracting(PartitionState::owner)
                .containsExactly(OTHER.hash(), OTHER.hash(), null);
        leads(2);
    }
}
