package io.neli.sample.lab.history;

import java.util.List;
import java.util.Set;

import io.neli.sample.lab.history.HistoryView.Change;
import io.neli.sample.lab.history.HistoryView.Condition;
import io.neli.sample.lab.history.HistoryView.Mark;
import io.neli.sample.lab.history.HistoryView.Span;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.neli.sample.lab.history.MarkKind.FREEZE;
import static io.neli.sample.lab.history.MarkKind.KILL;
import static io.neli.sample.lab.history.MarkKind.THAW;
import static io.neli.sample.lab.history.MarkKind.UP;
import static org.assertj.core.api.Assertions.assertThat;

/** Three brokers. The lease is 3 s; alice leads from 1000 on with token 17, and bob is eligible. */
class BrokersHistoryTest {

    private final History history = new History(3000, Set.of("broker-1", "broker-2", "broker-3"));

    @BeforeEach
    void alice_leads() {
        for (String instance : List.of("alice", "bob")) {
            done(100, instance, MarkKind.START);
            history.apply(Observations.eligible(500, instance, true));
        }
        history.apply(Observations.acquired(1000, "alice", 17));
    }

    @Test
    void a_broker_is_frozen_until_its_thaw_or_its_end_and_down_until_it_is_up() {
        done(2000, "broker-2", FREEZE);
        done(3000, "broker-2", THAW);
        done(4000, "broker-2", FREEZE);
        done(5000, "broker-2", KILL);
        history.apply(new Observation.Exited(5003, "broker-2", 137));
        done(6000, "broker-2", MarkKind.START);
        done(7000, "broker-2", UP);

        assertThat(history.view().spans())
                .containsExactly(
                        new Span("broker-2", Condition.FROZEN, 2000, 3000L),
                        new Span("broker-2", Condition.FROZEN, 4000, 5000L),
                        new Span("broker-2", Condition.DOWN, 5000, 7000L));
        assertThat(history.view().marks())
                .filteredOn(mark -> mark.process().equals("broker-2"))
                .extracting(Mark::kind)
                .containsExactly(FREEZE, THAW, FREEZE, KILL, MarkKind.START, UP);
    }

    @Test
    void a_kill_of_the_leader_while_one_of_three_brokers_is_down_is_measured() {
        done(3000, "broker-3", KILL);
        done(4000, "alice", KILL);
        acquired(6900);

        assertChange(Cause.KILL, 6900, 2900);
        assertThat(history.view().measured()).hasSize(1);
    }

    @Test
    void while_only_one_of_three_brokers_works_nobody_can_lead_and_the_time_runs_from_the_return_of_another() {
        done(3000, "broker-3", KILL);
        done(4000, "alice", KILL);
        done(5000, "broker-1", FREEZE);
        done(20_000, "broker-1", THAW);
        acquired(20_300);

        assertChange(Cause.BROKER, 20_300, 300);
        assertThat(history.view().measured()).isEmpty();
    }

    @Test
    void a_change_that_nothing_else_explains_is_due_to_a_single_broker() {
        done(3000, "broker-3", KILL);
        history.apply(Observations.fenced(6000, "alice", 17, "LEASE_EXPIRED"));
        acquired(7000);

        assertChange(Cause.BROKER, 7000, 1000);
    }

    private void done(long at, String process, MarkKind kind) {
        history.apply(new Observation.Occurred(at, process, kind));
    }

    private void acquired(long at) {
        history.apply(Observations.acquired(at, "bob", 21));
    }

    private void assertChange(Cause cause, long at, long millis) {
        assertThat(history.view().changes()).containsExactly(new Change(at, "alice", "bob", 21, cause, false, millis));
    }
}
