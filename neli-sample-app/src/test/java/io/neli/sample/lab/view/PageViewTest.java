package io.neli.sample.lab.view;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.lab.history.History;
import io.neli.sample.lab.history.LatestReport.Leadership;
import io.neli.sample.lab.history.LatestReport.State;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.history.Observations;
import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.InstanceState;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Alice leads from 1 s on; it is 70 s. The lease is 3 s. */
class PageViewTest {

    private static final long NOW = 70_000;

    /** Like real tokens, milliseconds of the epoch. */
    private static final long ALICE = 1763800325614L;

    private static final long BOB = 1763800367484L;
    private static final long CAROL = 1763800368634L;

    private final History history = new History(3000, Set.of("broker"));
    private List<Broker> brokers = List.of(broker(ProcessState.RUNNING));

    @BeforeEach
    void alice_leads() {
        history.apply(Observations.acquired(1000, "alice", ALICE));
    }

    private void bob_leads_after_a_kill() {
        history.apply(Observations.eligible(2000, "bob", true));
        history.apply(new Observation.Occurred(40_000, "alice", MarkKind.KILL));
        history.apply(Observations.acquired(42_870, "bob", BOB));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "12, 12 ms",
        "999, 999 ms",
        "2870, 2.87 s",
        "9994, 9.99 s",
        "12340, 12.3 s",
        "59990, 1 min 0 s",
        "64000, 1 min 4 s"
    })
    void a_duration_is_as_precise_as_can_be_read(long millis, String text) {
        assertThat(Texts.duration(millis)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "LEADING, RUNNING, false, leading: Leading",
        "CLAIMED, RUNNING, false, claiming: Claiming",
        "DRAINING, RUNNING, false, draining: Draining",
        "FENCED, RUNNING, false, fenced: Fenced",
        "STANDBY, RUNNING, false, standby: Standby",
        "LEADING, FROZEN, false, 'frozen: Frozen, leading'",
        "STANDBY, FROZEN, false, frozen: Frozen",
        "LEADING, RUNNING, true, 'cut: Cut off, leading'",
        "LEADING, STOPPING, false, draining: Stopping",
        "NONE, STARTING, false, starting: Starting",
        "NONE, DOWN, false, down: Not running"
    })
    void an_instance_has_one_state_in_a_word(State state, ProcessState process, boolean cut, String text) {
        InstanceCard card = card(instance("alice", state, process, cut, null));

        assertThat(card.state() + ": " + card.word()).isEqualTo(text);
    }

    @Test
    void an_instance_shows_its_token_and_the_rest_of_its_lease() {
        InstanceCard card = card(running("alice", State.LEADING));

        assertThat(card.token()).isEqualTo("token " + ALICE);
        assertThat(card.leaseLeft()).isEqualTo("2.4 s");
        assertThat(card.leaseShare()).isEqualTo(0.8);
        assertThat(card.failed()).isFalse();
    }

    @Test
    void a_problem_replaces_the_note_in_its_own_words_only_if_the_lab_has_not_caused_it() {
        InstanceState failing = instance("alice", State.STANDBY, ProcessState.RUNNING, false, "no rights");
        assertThat(card(failing).note()).isEqualTo("no rights");
        assertThat(card(failing).failed()).isTrue();

        InstanceState cut = instance("alice", State.STANDBY, ProcessState.RUNNING, true, "no rights");
        assertThat(card(cut).note()).isEqualTo("Runs, but cannot reach Kafka.");

        brokers = List.of(broker(ProcessState.DOWN));
        assertThat(card(failing).note()).isEqualTo("Cannot reach Kafka; retries.");
    }

    @Test
    void a_button_has_the_action_that_is_possible_now_or_says_why_there_is_none() {
        InstanceCard card = card(running("alice", State.LEADING));

        assertThat(card.buttons())
                .contains(
                        new Button("freeze", "thaw", "Thaw", null),
                        new Button("kill", "kill", "Kill", "alice is not running"));
    }

    @Test
    void the_headline_names_the_leader_and_its_term() {
        Headline headline = view(running("alice", State.LEADING)).headline();

        assertThat(headline.text()).isEqualTo("alice leads");
        assertThat(headline.detail()).isEqualTo("with token " + ALICE + ", since " + Texts.time(1000));
        assertThat(headline.announcement()).isEqualTo("alice leads with token " + ALICE);
    }

    @Test
    void the_headline_of_a_new_leader_announces_how_long_nobody_led() {
        bob_leads_after_a_kill();

        assertThat(view(instance("bob", State.LEADING, BOB)).headline().announcement())
                .isEqualTo("bob leads with token " + BOB + ", after 2.87 s");
    }

    @Test
    void of_two_instances_that_believe_they_lead_the_one_with_the_larger_token_does() {
        bob_leads_after_a_kill();

        PageView view = view(running("alice", State.LEADING), instance("bob", State.LEADING, BOB));

        assertThat(view.headline().leader()).isEqualTo("bob");
    }

    @Test
    void the_headline_says_for_how_long_nobody_has_led() {
        history.apply(new Observation.Occurred(69_000, "alice", MarkKind.FREEZE));
        InstanceState frozen = instance("alice", State.LEADING, ProcessState.FROZEN, false, null);

        Headline headline = view(frozen, running("bob", State.STANDBY)).headline();

        assertThat(headline.text()).isEqualTo("Nobody leads");
        assertThat(headline.lost()).isTrue();
        assertThat(headline.detail()).isEqualTo("for 1.00 s");
    }

    @Test
    void the_timeline_has_terms_gaps_and_marks_at_their_times() {
        bob_leads_after_a_kill();

        Timeline timeline = view(running("alice", State.NONE), instance("bob", State.LEADING, BOB))
                .timeline();

        assertThat(timeline.rows()).extracting(Timeline.Row::name).containsExactly("alice", "bob", "broker");
        Timeline.Row alice = timeline.rows().get(0);
        assertThat(alice.terms()).singleElement().satisfies(bar -> {
            assertThat(bar.left()).isEqualTo(51_000 / 1200.0);
            assertThat(bar.left() + bar.width()).isEqualTo(90_000 / 1200.0);
            assertThat(bar.text()).isEqualTo("alice led with token " + ALICE + " for 39.0 s, killed");
            assertThat(bar.label()).isEqualTo("token …325614");
        });
        assertThat(alice.spans()).singleElement().satisfies(bar -> assertThat(bar.kind())
                .isEqualTo("down"));
        assertThat(alice.marks()).singleElement().satisfies(mark -> {
            assertThat(mark.left()).isEqualTo(75);
            assertThat(mark.text()).isEqualTo(Texts.time(40_000) + " alice: killed (SIGKILL)");
        });
        assertThat(timeline.gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.label()).isEqualTo("2.87 s");
            assertThat(gap.kind()).isEqualTo("unplanned");
        });
    }

    @Test
    void marks_of_events_that_follow_each_other_closely_do_not_overlap() {
        for (int i = 0; i < 3; i++) {
            history.apply(new Observation.Occurred(30_000 + i, "alice", MarkKind.RESIGN));
        }

        List<Timeline.Symbol> marks =
                view(running("alice", State.LEADING)).timeline().rows().get(0).marks();

        assertThat(marks.get(1).left() - marks.get(0).left()).isGreaterThan(1.5);
        assertThat(marks.get(2).left() - marks.get(1).left()).isGreaterThan(1.5);
    }

    @Test
    void of_labels_of_gaps_that_follow_each_other_closely_that_of_the_fault_is_kept() {
        history.apply(Observations.eligible(2000, "bob", true));
        history.apply(Observations.revoked(38_900, "alice", ALICE, "RESIGNED"));
        history.apply(Observations.acquired(38_952, "alice", ALICE + 1));
        bob_leads_after_a_kill();
        history.apply(Observations.revoked(44_000, "bob", BOB, "RESIGNED"));
        history.apply(Observations.acquired(44_020, "carol", CAROL));

        assertThat(view(running("alice", State.NONE)).timeline().gaps())
                .extracting(Timeline.Bar::label)
                .containsExactly("", "2.87 s", "");
    }

    @Test
    void the_last_failover_and_the_figures_of_its_kind_are_shown() {
        bob_leads_after_a_kill();
        history.apply(Observations.revoked(50_000, "bob", BOB, "RESIGNED"));
        history.apply(Observations.acquired(50_020, "carol", CAROL));

        Failovers failovers = view(running("alice", State.NONE)).failovers();

        assertThat(failovers.unplanned().last()).isEqualTo("2.87 s");
        assertThat(failovers.unplanned().path()).isEqualTo("alice → bob");
        assertThat(failovers.unplanned().figures())
                .extracting(Failovers.Figure::value)
                .containsExactly("2.87 s", "2.87 s", "2.87 s", "1");
        assertThat(failovers.planned().last()).isEqualTo("20 ms");
        assertThat(failovers.changes()).extracting(Failovers.Row::why).containsExactly("resigned", "killed");

        history.apply(new Observation.Occurred(700_000, "carol", MarkKind.RESIGN)); // ten minutes later

        Failovers later = view(running("alice", State.NONE)).failovers();
        assertThat(later.changes()).isEmpty();
        assertThat(later.unplanned()).isEqualTo(failovers.unplanned());
        assertThat(later.planned()).isEqualTo(failovers.planned());
    }

    @Test
    void the_median_of_an_even_number_of_times_is_between_the_two_in_the_middle() {
        history.apply(Observations.eligible(1500, "bob", true));
        long at = 2000;
        long token = ALICE;
        for (long millis : new long[] {3010, 2700, 2900, 2800}) {
            history.apply(Observations.revoked(at, "alice", token, "RESIGNED"));
            history.apply(Observations.acquired(at + millis, "alice", ++token));
            at += 10_000;
        }

        assertThat(view(running("alice", State.NONE)).failovers().planned().figures())
                .extracting(Failovers.Figure::value)
                .containsExactly("2.70 s", "2.85 s", "3.01 s", "4");
    }

    @Test
    void a_change_that_waited_for_the_broker_is_listed_and_not_measured() {
        history.apply(new Observation.Occurred(40_000, "broker", MarkKind.STOP));
        history.apply(Observations.fenced(43_000, "alice", ALICE, "LEASE_EXPIRED"));
        history.apply(new Observation.Occurred(50_000, "broker", MarkKind.UP));
        history.apply(Observations.acquired(50_400, "bob", BOB));

        Failovers failovers = view(running("alice", State.NONE)).failovers();

        assertThat(failovers.changes()).extracting(Failovers.Row::why).containsExactly("broker down");
        assertThat(failovers.unplanned().last()).isEqualTo("–");
    }

    @Test
    void a_refused_write_says_which_instance_leads_instead() {
        bob_leads_after_a_kill();
        history.apply(Observations.written(50_000, "alice", ALICE, 42, Outcome.REFUSED, "ProducerFencedException"));

        Writes writes = view(running("alice", State.STANDBY)).writes();

        assertThat(writes.summary()).isEqualTo("1 stale write refused");
        assertThat(writes.entries().get(0).token()).isEqualTo("token …325614");
        assertThat(writes.entries().get(0).why())
                .isEqualTo("Token " + ALICE + " is stale: bob leads with token " + BOB + "."
                        + " The broker refused the transaction, so nothing of it is in the ledger.");
    }

    @Test
    void a_failed_write_has_its_reason_without_package_names() {
        String reason = "org.apache.kafka.common.errors.TimeoutException: after 5000ms";
        history.apply(Observations.written(50_000, "alice", ALICE, 42, Outcome.FAILED, reason));

        assertThat(view(running("alice", State.LEADING))
                        .writes()
                        .entries()
                        .get(0)
                        .why())
                .isEqualTo("The write failed: TimeoutException: after 5000ms");
    }

    @Test
    void the_runs_of_the_job_say_what_is_special_about_them() {
        run("alice", ALICE, 35_000);
        history.apply(Observations.begun(40_000, "alice", ALICE, 40_000));
        bob_leads_after_a_kill();
        run("bob", BOB, 40_000);
        run("bob", BOB, 45_000);
        history.apply(Observations.begun(50_000, "bob", BOB, 50_000));
        history.apply(Observations.acquired(53_000, "carol", CAROL));
        run("carol", CAROL, 55_000);
        history.apply(Observations.acquired(63_000, "alice", CAROL + 1));
        run("alice", CAROL + 1, 60_000);
        history.apply(Observations.begun(65_000, "alice", CAROL + 1, 65_000));

        Schedule schedule = view(running("alice", State.LEADING)).schedule();

        assertThat(schedule.summary())
                .isEqualTo("missed 0, repeated 0, 1 made up for by a later one, because nobody could run them");
        assertThat(schedule.wrong()).isFalse();
        assertThat(schedule.runs())
                .extracting(cell -> cell.instance() + " " + cell.kind())
                .containsExactly(
                        "alice ended",
                        "bob again",
                        "bob ended",
                        "bob merged",
                        "carol ended",
                        "alice late",
                        "alice running");
        assertThat(schedule.runs().get(1).text()).isEqualTo("due at " + Texts.time(40_000) + ", bob: again");
    }

    private void run(String instance, long token, long due) {
        history.apply(Observations.begun(due, instance, token, due));
        history.apply(Observations.ended(due + 800, instance, token, due));
    }

    private PageView view(InstanceState... instances) {
        return PageView.of(new LabState(NOW, 3000, brokers, List.of(instances), history.view()));
    }

    private InstanceCard card(InstanceState instance) {
        return view(instance).instances().get(0);
    }

    private static Broker broker(ProcessState state) {
        return new Broker("broker", "127.0.0.1:9092", state, Map.of());
    }

    private static InstanceState running(String name, State state) {
        return instance(name, state, ProcessState.RUNNING, false, null);
    }

    private static InstanceState instance(String name, State state, long token) {
        Leadership leadership = new Leadership(state, token, 2400L);
        return new InstanceState(name, 7L, ProcessState.RUNNING, false, null, leadership, List.of(), Map.of());
    }

    private static InstanceState instance(String name, State state, ProcessState process, boolean cut, String problem) {
        boolean hasTerm = state != State.STANDBY && state != State.NONE;
        boolean hasLease = state == State.LEADING || state == State.DRAINING;
        Leadership leadership = new Leadership(state, hasTerm ? ALICE : null, hasLease ? 2400L : null);
        Map<String, String> refusals = new HashMap<>(Map.of("kill", name + " is not running", "freeze", "no"));
        return new InstanceState(name, 7L, process, cut, problem, leadership, List.of(), refusals);
    }
}
