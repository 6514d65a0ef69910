package io.neli.sample.lab.history;

import java.util.List;
import java.util.Set;

import io.neli.sample.lab.history.RunsView.Phase;
import io.neli.sample.lab.history.RunsView.Run;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Alice leads with token 17 and ends the run of 5000. */
class RunsTest {

    private final History history = new History(3000, Set.of("broker"));

    RunsTest() {
        run("alice", 17, 5000);
    }

    @Test
    void runs_that_end_in_their_order_are_neither_missed_nor_repeated() {
        waits(17, 6000, 5000L);
        waits(17, 10_010, 5000L);
        run("alice", 17, 10_000);

        assertCounts(0, 0, 0);
        assertThat(runs())
                .containsExactly(
                        new Run(5000, "alice", 17, Phase.RECORDED, false),
                        new Run(10_000, "alice", 17, Phase.ENDED, false));
    }

    @Test
    void a_run_that_is_made_up_for_is_not_missed() {
        waits(21, 12_900, 5000L);
        run("bob", 21, 10_000);
        run("bob", 21, 15_000);

        assertCounts(0, 0, 0);
        assertThat(runs()).extracting(Run::instance).containsExactly("alice", "bob", "bob");
    }

    @Test
    void a_time_is_missed_if_the_leader_waited_at_it_and_ran_a_later_one() {
        waits(17, 10_010, 5000L);
        begun("alice", 17, 15_000);
        assertCounts(0, 0, 0);

        ended("alice", 17, 15_000);

        assertCounts(1, 0, 0);
        assertThat(runs()).extracting(Run::phase).containsExactly(Phase.RECORDED, Phase.MISSED, Phase.ENDED);
    }

    @Test
    void a_run_that_is_not_repeated_is_missed_though_the_next_leader_could_repeat_it() {
        begun("alice", 17, 10_000);
        waits(21, 13_000, 5000L);
        run("bob", 21, 15_000);

        assertCounts(1, 0, 0);
    }

    @Test
    void the_first_run_counts_too() {
        History another = new History(3000, Set.of("broker"));
        another.apply(Observations.begun(5000, "alice", 17, 5000));
        another.apply(Observations.waiting(9000, "bob", 21, 9000, null));
        another.apply(Observations.begun(10_000, "bob", 21, 10_000));
        another.apply(Observations.ended(10_800, "bob", 21, 10_000));

        assertThat(another.view().runs().missed()).isOne();
    }

    @Test
    void a_time_that_passed_before_the_next_leader_knew_what_is_due_is_made_up_for_by_the_later_one() {
        waits(17, 9990, 5000L);
        begun("alice", 17, 10_000);
        waits(17, 12_000, 5000L); // only what the latest term could do counts
        waits(21, 15_020, 5000L);
        run("bob", 21, 15_000);

        assertCounts(0, 0, 1);
        assertThat(runs()).extracting(Run::phase).containsExactly(Phase.RECORDED, Phase.MERGED, Phase.ENDED);
    }

    @Test
    void a_leader_that_could_not_record_a_run_as_a_broker_was_down_has_not_missed_it() {
        history.apply(new Observation.Occurred(9000, "broker", MarkKind.STOP));
        waits(17, 10_010, 5000L);
        history.apply(new Observation.Occurred(16_000, "broker", MarkKind.UP));
        run("alice", 17, 15_000);

        assertCounts(0, 0, 1);
    }

    @Test
    void a_run_whose_leader_dies_is_run_again_and_that_is_no_repetition() {
        begun("alice", 17, 10_000);
        run("bob", 21, 10_000);

        assertCounts(0, 0, 0);
        assertThat(runs()).last().isEqualTo(new Run(10_000, "bob", 21, Phase.ENDED, true));
    }

    @Test
    void a_frozen_leader_may_end_its_run_after_the_next_one_has() {
        begun("alice", 17, 10_000);
        run("bob", 21, 10_000);
        ended("alice", 17, 10_000);

        assertCounts(0, 0, 0);
        assertThat(runs()).last().extracting(Run::instance).isEqualTo("bob");
    }

    @Test
    void an_end_may_be_lost_until_it_is_recorded_and_from_then_on_another_run_is_a_repetition() {
        begun("bob", 21, 5000);
        ended("bob", 21, 5000);
        assertCounts(0, 0, 0);

        waits(21, 9000, 5000L);
        begun("carol", 22, 5000);

        assertCounts(0, 1, 0);
        assertThat(runs()).singleElement().extracting(Run::phase).isEqualTo(Phase.REPEATED);
    }

    @Test
    void a_begin_that_is_observed_late_changes_nothing() {
        run("bob", 21, 10_000);
        waits(21, 12_000, 10_000L);
        begun("alice", 17, 10_000);

        assertCounts(0, 0, 0);
        assertThat(runs()).last().extracting(Run::instance).isEqualTo("bob");
    }

    @Test
    void the_latest_are_kept_and_all_are_counted() {
        waits(17, 10_010, 5000L);
        for (long due = 15_000; due <= 200_000; due += 5000) {
            run("alice", 17, due);
        }

        assertCounts(1, 0, 0);
        assertThat(runs()).hasSize(20).last().extracting(Run::due).isEqualTo(200_000L);
    }

    private void run(String instance, long token, long due) {
        begun(instance, token, due);
        ended(instance, token, due);
    }

    private void begun(String instance, long token, long due) {
        history.apply(Observations.begun(due + 10, instance, token, due));
    }

    private void ended(String instance, long token, long due) {
        history.apply(Observations.ended(due + 800, instance, token, due));
    }

    private void waits(long token, long time, Long recorded) {
        history.apply(Observations.waiting(time, "alice", token, time, recorded));
    }

    private List<Run> runs() {
        return history.view().runs().latest();
    }

    private void assertCounts(long missed, long repeated, long merged) {
        RunsView view = history.view().runs();
        assertThat(List.of(view.missed(), view.repeated(), view.merged())).containsExactly(missed, repeated, merged);
    }
}
