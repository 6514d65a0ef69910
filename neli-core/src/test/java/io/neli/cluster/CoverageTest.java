package io.neli.cluster;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoverageTest {

    private static Leading span(String process, long from, long to) {
        return new Leading(process, from, from, to);
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
}
