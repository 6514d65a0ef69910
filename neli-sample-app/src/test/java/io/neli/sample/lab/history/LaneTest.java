package io.neli.sample.lab.history;

import java.util.List;

import io.neli.internal.election.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LaneTest {

    private final Lane lane = new Lane(List.of("ledger", "mail"));

    @Test
    void a_process_that_has_not_told_anything_stands_nowhere() {
        assertThat(lane.roles(0)).containsExactly(RoleState.none("ledger"), RoleState.none("mail"));
        assertThat(lane.leads("ledger")).isFalse();
    }

    @Test
    void a_leader_has_a_token_and_a_lease_and_a_standby_neither() {
        tell(1000, State.LEADING, State.STANDBY);

        assertThat(lane.roles(1000))
                .containsExactly(
                        new RoleState("ledger", State.LEADING, 17L, 2400L),
                        new RoleState("mail", State.STANDBY, null, null));
        assertThat(lane.leads("ledger")).isTrue();
    }

    @Test
    void a_claim_has_a_token_and_no_lease() {
        tell(1000, State.CLAIMED, State.STANDBY);
        assertThat(ledger(1000)).isEqualTo(new RoleState("ledger", State.CLAIMED, 17L, null));
    }

    @Test
    void the_lease_of_a_process_that_tells_nothing_more_runs_out() {
        tell(1000, State.LEADING, State.STANDBY);

        assertThat(ledger(2400).leaseLeft()).isEqualTo(1000);
        assertThat(ledger(9000)).isEqualTo(new RoleState("ledger", State.LEADING, 17L, 0L));
    }

    @Test
    void a_fence_is_shown_for_five_seconds() {
        tell(1000, State.LEADING, State.STANDBY);
        lane.fenced(new Observation.Fenced(1050, "alice", "ledger", 17, "LEASE_EXPIRED"));
        assertThat(ledger(1060)).isEqualTo(new RoleState("ledger", State.FENCED, 17L, null));

        tell(1100, State.STANDBY, State.STANDBY);
        assertThat(ledger(6049).state()).isEqualTo(State.FENCED);
        assertThat(ledger(6050).state()).isEqualTo(State.STANDBY);
    }

    @Test
    void a_fence_is_shown_no_longer_when_it_claims_again() {
        lane.fenced(new Observation.Fenced(1050, "alice", "ledger", 17, "LEASE_EXPIRED"));
        tell(1100, State.CLAIMED, State.STANDBY);

        assertThat(ledger(1200).state()).isEqualTo(State.CLAIMED);
    }

    @Test
    void a_process_that_has_gone_stands_nowhere_again() {
        tell(1000, State.LEADING, State.STANDBY);
        lane.clear();

        assertThat(ledger(1100)).isEqualTo(RoleState.none("ledger"));
    }

    private void tell(long at, State ledger, State mail) {
        lane.told(
                new Snapshot(
                        "RUNNING",
                        null,
                        true,
                        List.of(
                                new Snapshot.Partition(0, List.of("ledger"), ledger, "alice", 17L, 2400),
                                new Snapshot.Partition(1, List.of("mail"), mail, "bob", 9L, 0))),
                at);
    }

    private RoleState ledger(long now) {
        return lane.roles(now).get(0);
    }
}
