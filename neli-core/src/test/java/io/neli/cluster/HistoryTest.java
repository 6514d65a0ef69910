package io.neli.cluster;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The checkers find what integration tests look for; otherwise, their success would mean nothing. */
class HistoryTest {

    @Test
    void a_handover_and_a_takeover_are_in_order() {
        assertThat(violations(
                        "a 10 ACQUIRED token=1 valid=true",
                        "a 11 LEADS token=1",
                        "a 20 BUMPED token=1 value=1 late=false",
                        "a 30 LEADS_NOT last=29",
                        "a 31 REVOKED token=1",
                        "a 40 WORK_ENDED token=1",
                        "b 50 ACQUIRED token=5 valid=true",
                        "b 51 LEADS token=5",
                        "b 60 STILL_LEADS",
                        "c 90 ACQUIRED token=9 valid=true",
                        "c 91 LEADS token=9",
                        "b 95 LEADS_NOT last=70",
                        "b 96 FENCED token=5"))
                .isEmpty();
    }

    @Test
    void two_leaders_at_a_time_are_found() {
        assertFound("Two leaders", "a 10 LEADS token=1", "b 20 LEADS token=5", "a 31 LEADS_NOT last=30");
        // One was killed.
        assertFound("Two leaders", "a 10 LEADS token=1", "b 20 LEADS token=5", "a 30 STILL_LEADS");
    }

    @Test
    void a_sample_that_was_under_way_when_the_process_was_stopped_is_no_overlap() {
        assertThat(violations("a 10 LEADS token=1", "b 50 LEADS token=5", "a 99 LEADS_NOT last=20"))
                .isEmpty();
    }

    @Test
    void a_token_that_does_not_grow_is_found() {
        assertFound(
                "not larger",
                "a 10 ACQUIRED token=5 valid=true",
                "a 20 FENCED token=5",
                "b 30 ACQUIRED token=5 valid=true",
                "b 40 FENCED token=5");
        assertFound("not larger", "a 10 LEADS token=5", "a 20 LEADS_NOT last=19", "b 30 LEADS token=4");
    }

    @Test
    void a_term_that_comes_back_is_found() {
        assertFound("come back", "a 10 LEADS token=1", "a 20 LEADS_NOT last=19", "a 21 LEADS token=1");
    }

    @Test
    void an_acquisition_reported_after_its_term_says_nothing_of_the_order() {
        assertThat(violations(
                        "b 30 ACQUIRED token=9 valid=true", "a 40 ACQUIRED token=5 valid=false", "a 41 FENCED token=5"))
                .isEmpty();
    }

    @Test
    void events_out_of_order_are_found() {
        assertThat(violations("a 10 FENCED token=5")).hasSize(1);
        assertThat(violations("a 10 REVOKED token=5")).hasSize(1);
        assertThat(violations("a 10 ACQUIRED token=5 valid=true", "a 20 ACQUIRED token=6 valid=true"))
                .hasSize(1);
        assertThat(violations("a 10 ACQUIRED token=5 valid=true", "a 20 REVOKED token=6"))
                .hasSize(1);
        assertThat(violations("a 10 ACQUIRED token=5 valid=true", "a 20 FENCED token=5", "a 30 REVOKED token=5"))
                .hasSize(1);
        assertThat(violations("a 10 ACQUIRED token=5 valid=true", "a 20 REVOKED token=5", "a 30 FENCED token=5"))
                .isEmpty();
    }

    @Test
    void leading_after_the_event_is_found() {
        assertFound(
                "after it was notified",
                "a 10 ACQUIRED token=5 valid=true",
                "a 11 LEADS token=5",
                "a 20 FENCED token=5",
                "a 31 LEADS_NOT last=30");
    }

    @Test
    void work_that_outlives_a_handover_is_found() {
        assertFound(
                "Work",
                "a 10 ACQUIRED token=1 valid=true",
                "a 20 REVOKED token=1",
                "b 30 ACQUIRED token=5 valid=true",
                "a 31 WORK_ENDED token=1");
    }

    @Test
    void a_counter_that_was_raised_by_one_at_a_time_is_right() {
        assertThat(bumps(
                        3,
                        "a 1 BUMP value=1",
                        "a 2 BUMPED value=1 late=false",
                        "a 3 BUMP value=2",
                        "a 4 NOT_BUMPED value=2",
                        "b 5 BUMPED value=2 late=false",
                        "b 6 BUMPED value=3 late=false"))
                .isEmpty();
    }

    @Test
    void a_number_that_was_written_late_proves_nothing() {
        assertThat(bumps(
                        2,
                        "a 1 BUMPED value=1 late=false",
                        "b 2 BUMPED value=2 late=false",
                        "a 3 BUMPED value=2 late=true"))
                .isEmpty();
    }

    @Test
    void a_lost_increment_is_found() {
        assertThat(bumps(
                        2,
                        "a 1 BUMPED value=1 late=false",
                        "a 2 BUMPED value=2 late=false",
                        "b 3 BUMPED value=2 late=false"))
                .hasSize(2);
        assertThat(bumps(1, "a 1 BUMPED value=1 late=false", "a 2 BUMPED value=2 late=false"))
                .hasSize(1);
        assertThat(bumps(3, "a 1 BUMPED value=1 late=false", "b 2 BUMPED value=3 late=false"))
                .hasSize(2);
    }

    @Test
    void one_increment_of_a_killed_process_may_be_unsaid() {
        String killed = "a 2 BUMP value=2";
        assertThat(bumps(3, "a 1 BUMPED value=1 late=false", killed, "b 5 BUMPED value=3 late=false"))
                .isEmpty();
        assertThat(bumps(2, "a 1 BUMPED value=1 late=false", killed, "b 5 BUMPED value=2 late=false"))
                .isEmpty();
        assertThat(bumps(2, "a 1 BUMPED value=1 late=false", killed)).isEmpty();
        assertThat(bumps(1, "a 1 BUMPED value=1 late=false", killed)).isEmpty();
        assertThat(bumps(3, "a 1 BUMPED value=1 late=false", killed)).hasSize(1);
    }

    @Test
    void a_gap_is_the_time_in_which_too_few_lead() {
        Coverage coverage = new Coverage(List.of(span("a", 0, 100), span("b", 130, 200), span("b", 140, 160)));

        assertThat(coverage.longestWithFewerThan(1, 0, 200)).isEqualTo(30);
        assertThat(coverage.longestWithFewerThan(1, 110, 120)).isEqualTo(10);
        assertThat(coverage.longestWithFewerThan(1, 20, 90)).isZero();
        assertThat(coverage.longestWithFewerThan(1, 150, 250)).isEqualTo(50);
    }

    @Test
    void one_that_steps_in_keeps_the_number_up() {
        Coverage coverage = new Coverage(List.of(span("a", 0, 200), span("b", 0, 100), span("c", 90, 200)));

        assertThat(coverage.longestWithFewerThan(2, 0, 200)).isZero();
        assertThat(coverage.longestWithFewerThan(3, 0, 200)).isEqualTo(100);
    }

    @Test
    void overlap_counts_between_processes() {
        Coverage coverage = new Coverage(List.of(span("a", 0, 100), span("a", 50, 160), span("b", 130, 200)));

        assertThat(coverage.longestOverlap()).isEqualTo(30);
    }

    private static Leading span(String process, long from, long to) {
        return new Leading(process, from, from, to);
    }

    private static List<String> violations(String... lines) {
        return History.violations(Line.forged(lines));
    }

    private static void assertFound(String what, String... lines) {
        assertThat(violations(lines)).singleElement().asString().contains(what);
    }

    private static List<String> bumps(long counter, String... lines) {
        return Bumps.violations(Line.forged(lines), counter);
    }
}
