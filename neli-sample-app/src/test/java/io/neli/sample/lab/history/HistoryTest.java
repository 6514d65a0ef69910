package io.neli.sample.lab.history;

import java.util.List;
import java.util.Set;

import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.lab.history.HistoryView.Change;
import io.neli.sample.lab.history.HistoryView.Condition;
import io.neli.sample.lab.history.HistoryView.End;
import io.neli.sample.lab.history.HistoryView.Gap;
import io.neli.sample.lab.history.HistoryView.Mark;
import io.neli.sample.lab.history.HistoryView.Span;
import io.neli.sample.lab.history.HistoryView.Term;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.neli.sample.lab.history.MarkKind.CUT;
import static io.neli.sample.lab.history.MarkKind.FREEZE;
import static io.neli.sample.lab.history.MarkKind.HEAL;
import static io.neli.sample.lab.history.MarkKind.KILL;
import static io.neli.sample.lab.history.MarkKind.RESIGN;
import static io.neli.sample.lab.history.MarkKind.START;
import static io.neli.sample.lab.history.MarkKind.STOP;
import static io.neli.sample.lab.history.MarkKind.THAW;
import static org.assertj.core.api.Assertions.assertThat;

/** The lease is 3 s; alice leads from 1000 on with token 17, and bob and carol are eligible. */
class HistoryTest {

    private final History history = new History(3000, Set.of("broker"));

    @BeforeEach
    void alice_leads() {
        for (String instance : List.of("alice", "bob", "carol")) {
            done(100, instance, START);
            eligible(500, instance, true);
        }
        acquired(1000, "alice", 17);
    }

    @Test
    void the_first_acquisition_is_no_failover() {
        assertThat(history.view().terms()).containsExactly(new Term("alice", 17, 1000, null, null));
        assertThat(history.view().changes()).isEmpty();
        assertThat(history.view().gaps()).isEmpty();
    }

    @Test
    void a_kill_ends_the_term_and_is_measured_to_the_next_leader() {
        done(4000, "alice", KILL);
        assertThat(history.view().gaps()).containsExactly(new Gap(4000, null));

        exited(4003, "alice", 137);
        acquired(6870, "bob", 21);

        assertThat(history.view().terms())
                .containsExactly(new Term("alice", 17, 1000, 4000L, End.KILLED), new Term("bob", 21, 6870, null, null));
        assertThat(history.view().gaps()).containsExactly(new Gap(4000, 6870L));
        assertChange(6870, "alice", "bob", 21, Cause.KILL, false, 2870);
        assertThat(history.view().measured()).singleElement().matches(change -> !change.planned());
        assertThat(kinds()).doesNotContain(MarkKind.EXITED);
    }

    @Test
    void a_freeze_costs_leadership_when_another_takes_over_and_the_late_fence_is_only_a_mark() {
        done(4000, "alice", FREEZE);
        assertThat(history.view().terms()).containsExactly(new Term("alice", 17, 1000, null, null));
        assertThat(history.view().gaps()).containsExactly(new Gap(4000, null));

        acquired(6900, "bob", 21);
        done(20_000, "alice", THAW);
        fenced(20_010, "alice", 17, "LEASE_EXPIRED");
        history.apply(Observations.written(20_020, "alice", 17, 42, Outcome.REFUSED, "fenced"));

        assertThat(history.view().terms())
                .containsExactly(
                        new Term("alice", 17, 1000, 4000L, End.SUPERSEDED), new Term("bob", 21, 6900, null, null));
        assertThat(history.view().gaps()).containsExactly(new Gap(4000, 6900L));
        assertChange(6900, "alice", "bob", 21, Cause.FREEZE, false, 2900);
        assertThat(history.view().marks())
                .contains(
                        new Mark(20_010, "alice", MarkKind.FENCED, "fenced, lease expired"),
                        new Mark(20_020, "alice", MarkKind.REFUSED, "write refused: no. 42, token 17"));
    }

    @Test
    void a_thaw_before_the_lease_ends_changes_nothing_and_leaves_no_gap() {
        done(4000, "alice", FREEZE);
        done(5000, "alice", THAW);

        assertThat(history.view().terms()).containsExactly(new Term("alice", 17, 1000, null, null));
        assertThat(history.view().gaps()).isEmpty();
        assertThat(history.view().changes()).isEmpty();

        revoked(60_000, "alice", 17, "HANDOVER");
        acquired(60_020, "bob", 21);
        assertChange(60_020, "alice", "bob", 21, Cause.BALANCE, true, 20);
    }

    @Test
    void a_leader_that_is_cut_leads_until_it_is_fenced_and_the_time_runs_from_the_cut() {
        done(4000, "alice", CUT);
        assertThat(history.view().gaps()).isEmpty();

        fenced(6800, "alice", 17, "LEASE_EXPIRED");
        acquired(6950, "carol", 21);
        done(9000, "alice", HEAL);

        assertThat(history.view().terms()).contains(new Term("alice", 17, 1000, 6800L, End.FENCED));
        assertThat(history.view().gaps()).containsExactly(new Gap(6800, 6950L));
        assertChange(6950, "alice", "carol", 21, Cause.CUT, false, 2950);
    }

    @Test
    void a_cut_that_is_healed_in_time_is_forgotten() {
        done(4000, "alice", CUT);
        done(4500, "alice", HEAL);
        done(5000, "alice", KILL);
        acquired(7900, "bob", 21);

        assertChange(7900, "alice", "bob", 21, Cause.KILL, false, 2900);
    }

    @Test
    void a_cut_is_the_cause_also_when_the_next_leader_reports_before_the_fence() {
        done(4000, "alice", CUT);
        acquired(6950, "bob", 21);
        fenced(6951, "alice", 17, "LEASE_EXPIRED");

        assertChange(6950, "alice", "bob", 21, Cause.CUT, false, 2950);
        assertThat(history.view().gaps()).isEmpty();
    }

    @Test
    void a_stop_is_a_handover_and_its_time_is_that_in_which_nobody_leads() {
        done(4000, "alice", STOP);
        revoked(4100, "alice", 17, "CLOSING");
        acquired(4650, "bob", 21);
        exited(4700, "alice", 0);

        assertThat(history.view().terms()).contains(new Term("alice", 17, 1000, 4100L, End.REVOKED));
        assertThat(history.view().gaps()).containsExactly(new Gap(4100, 4650L));
        assertChange(4650, "alice", "bob", 21, Cause.STOP, true, 550);
        assertThat(history.view().measured()).singleElement().matches(Change::planned);
    }

    @Test
    void a_leader_that_is_killed_while_it_hands_over_is_no_handover() {
        done(4000, "alice", STOP);
        revoked(4100, "alice", 17, "CLOSING");
        done(4300, "alice", KILL);
        acquired(7200, "bob", 21);

        assertChange(7200, "alice", "bob", 21, Cause.KILL, false, 2900);
        assertThat(history.view().gaps()).containsExactly(new Gap(4100, 7200L));
    }

    @Test
    void a_resignation_is_a_handover() {
        done(4000, "alice", RESIGN);
        revoked(4002, "alice", 17, "RESIGNED");
        eligible(4050, "alice", false);
        acquired(4022, "bob", 21);

        assertChange(4022, "alice", "bob", 21, Cause.RESIGN, true, 20);
    }

    @Test
    void a_broker_that_is_down_for_longer_than_the_lease_is_the_cause_and_the_time_runs_from_its_return() {
        done(4000, "broker", STOP);
        exited(4900, "broker", 0);
        fenced(7400, "alice", 17, "LEASE_EXPIRED");
        done(9000, "broker", MarkKind.START);
        history.apply(new Observation.Occurred(12_000, "broker", MarkKind.UP));
        acquired(12_400, "carol", 21);

        assertChange(12_400, "alice", "carol", 21, Cause.BROKER, false, 400);
        assertThat(history.view().gaps()).containsExactly(new Gap(7400, 12_400L));
        assertThat(history.view().measured()).isEmpty();
    }

    @Test
    void a_broker_that_is_soon_back_changes_nothing_and_explains_nothing_later() {
        done(4000, "broker", STOP);
        history.apply(new Observation.Occurred(5500, "broker", MarkKind.UP));
        assertThat(history.view().changes()).isEmpty();

        done(6000, "alice", KILL);
        acquired(8900, "bob", 21);

        assertChange(8900, "alice", "bob", 21, Cause.KILL, false, 2900);
    }

    @Test
    void a_kill_of_a_standby_changes_nothing() {
        done(4000, "bob", KILL);
        exited(4002, "bob", 137);

        assertThat(history.view().terms()).containsExactly(new Term("alice", 17, 1000, null, null));
        assertThat(history.view().gaps()).isEmpty();
        assertThat(kinds()).contains(KILL);
    }

    @Test
    void of_two_faults_before_the_next_leader_the_first_one_to_hit_the_leader_counts() {
        done(4000, "alice", FREEZE);
        done(4500, "bob", KILL);
        done(5000, "alice", KILL);
        acquired(6900, "carol", 21);

        assertChange(6900, "alice", "carol", 21, Cause.FREEZE, false, 2900);
        assertThat(history.view().terms()).contains(new Term("alice", 17, 1000, 4000L, End.KILLED));
        assertThat(history.view().gaps()).containsExactly(new Gap(4000, 6900L));
    }

    @Test
    void a_leader_that_is_still_cut_when_it_is_thawed_is_lost_to_the_cut() {
        done(4000, "alice", FREEZE);
        done(4100, "alice", CUT);
        done(4200, "alice", THAW);
        fenced(6900, "alice", 17, "LEASE_EXPIRED");
        acquired(7000, "bob", 21);

        assertChange(7000, "alice", "bob", 21, Cause.CUT, false, 2900);
        assertThat(history.view().gaps()).containsExactly(new Gap(6900, 7000L));
    }

    @Test
    void the_same_instance_may_lead_again() {
        done(4000, "alice", KILL);
        exited(4002, "alice", 137);
        done(4100, "alice", START);
        acquired(9000, "alice", 21);
        assertChange(9000, "alice", "alice", 21, Cause.KILL, false, 5000);

        done(9500, "alice", KILL);
        acquired(12_300, "bob", 25);
        assertThat(history.view().changes()).hasSize(2);
    }

    @Test
    void while_nobody_can_lead_no_time_is_measured() {
        for (String instance : List.of("alice", "bob", "carol")) {
            done(4000, instance, KILL);
        }
        done(60_000, "bob", START);
        eligible(64_000, "bob", true);
        acquired(64_200, "bob", 21);

        assertChange(64_200, "alice", "bob", 21, Cause.KILL, false, 200);
        assertThat(history.view().measured()).isEmpty();
        assertThat(history.view().gaps()).containsExactly(new Gap(4000, 64_200L));
    }

    @Test
    void an_instance_that_leads_as_soon_as_it_is_eligible_may_report_that_in_any_order() {
        eligible(3500, "bob", false);
        done(3600, "carol", KILL);
        done(4000, "alice", FREEZE);
        acquired(14_020, "bob", 21);
        eligible(14_090, "bob", true);

        assertChange(14_020, "alice", "bob", 21, Cause.FREEZE, false, 0);
        assertThat(history.view().measured()).isEmpty();
    }

    @Test
    void a_report_that_is_read_after_the_kill_was_printed_before() {
        done(4000, "alice", KILL);
        done(4001, "bob", KILL);
        acquired(4002, "bob", 21); // printed before bob was killed, but read later

        assertThat(history.view().gaps()).contains(new Gap(4002, null));
        acquired(7000, "carol", 25);
        assertThat(history.view().changes()).last().satisfies(change -> {
            assertThat(change.cause()).isEqualTo(Cause.KILL);
            assertThat(change.millis()).isEqualTo(2999);
        });
    }

    @Test
    void a_process_that_ends_by_itself_leaves_a_gap_and_a_mark() {
        exited(4000, "alice", 3);
        acquired(6900, "bob", 21);

        assertChange(6900, "alice", "bob", 21, Cause.OTHER, false, 2900);
        assertThat(history.view().marks()).contains(new Mark(4000, "alice", MarkKind.EXITED, "ended with code 3"));
        assertThat(history.view().measured()).isEmpty();
    }

    @Test
    void an_older_token_that_is_reported_late_is_not_a_new_leader() {
        acquired(4000, "bob", 21);
        acquired(4001, "carol", 19);

        assertThat(history.view().terms()).last().isEqualTo(new Term("bob", 21, 4000, null, null));
    }

    @Test
    void what_is_older_than_ten_minutes_is_forgotten_except_for_the_measured_times() {
        done(4000, "alice", KILL);
        acquired(6900, "bob", 21);

        eligible(700_000, "bob", true);

        assertThat(history.view().terms()).containsExactly(new Term("bob", 21, 6900, null, null));
        assertThat(history.view().marks()).isEmpty();
        assertThat(history.view().gaps()).isEmpty();
        assertThat(history.view().changes()).isEmpty();
        assertThat(history.view().measured()).hasSize(1);
    }

    @Test
    void an_instance_is_frozen_until_its_thaw_or_its_end_and_down_until_its_start() {
        done(2000, "alice", FREEZE);
        done(3000, "alice", THAW);
        done(4000, "alice", FREEZE);
        done(5000, "alice", KILL);
        done(5500, "broker", STOP);

        assertThat(history.view().spans())
                .containsExactly(
                        new Span("alice", Condition.FROZEN, 2000, 3000L),
                        new Span("alice", Condition.FROZEN, 4000, 5000L),
                        new Span("alice", Condition.DOWN, 5000, null),
                        new Span("broker", Condition.DOWN, 5500, null));

        done(6000, "alice", START);

        assertThat(history.view().spans()).contains(new Span("alice", Condition.DOWN, 5000, 6000L));
    }

    private void done(long at, String instance, MarkKind kind) {
        history.apply(new Observation.Occurred(at, instance, kind));
    }

    private void eligible(long at, String instance, boolean eligible) {
        history.apply(Observations.eligible(at, instance, eligible));
    }

    private void acquired(long at, String instance, long token) {
        history.apply(Observations.acquired(at, instance, token));
    }

    private void revoked(long at, String instance, long token, String reason) {
        history.apply(Observations.revoked(at, instance, token, reason));
    }

    private void fenced(long at, String instance, long token, String reason) {
        history.apply(Observations.fenced(at, instance, token, reason));
    }

    private void exited(long at, String instance, int code) {
        history.apply(new Observation.Exited(at, instance, code));
    }

    private void assertChange(long at, String from, String to, long token, Cause cause, boolean planned, long millis) {
        assertThat(history.view().changes()).last().isEqualTo(new Change(at, from, to, token, cause, planned, millis));
    }

    private List<MarkKind> kinds() {
        return history.view().marks().stream().map(Mark::kind).toList();
    }
}
