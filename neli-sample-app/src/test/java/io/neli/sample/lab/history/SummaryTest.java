package io.neli.sample.lab.history;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SummaryTest {

    @Test
    void of_nothing_says_nothing() {
        assertThat(Summary.of(List.of())).isEqualTo(new Summary(0, null, null, null, null));
    }

    @Test
    void the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        Summary summary = Summary.of(List.of(3010L, 2700L, 2900L, 2800L));

        assertThat(summary.count()).isEqualTo(4);
        assertThat(summary.min()).isEqualTo(2700);
        assertThat(summary.median()).isEqualTo(2850);
        assertThat(summary.max()).isEqualTo(3010);
    }

    @Test
    void one_value_has_one_bin() {
        assertThat(Summary.of(List.of(2870L)).histogram()).containsExactly(new Bin(2870, 2871, 1));
    }

    @Test
    void bins_are_round_and_adjacent_and_hold_every_value_once() {
        assertThat(Summary.of(List.of(2701L, 2870L, 3010L, 2880L)).histogram())
                .containsExactly(
                        new Bin(2700, 2750, 1),
                        new Bin(2750, 2800, 0),
                        new Bin(2800, 2850, 0),
                        new Bin(2850, 2900, 2),
                        new Bin(2900, 2950, 0),
                        new Bin(2950, 3000, 0),
                        new Bin(3000, 3050, 1));
    }

    @Test
    void there_are_at_most_a_dozen_bins() {
        List<Long> values = LongStream.range(0, 500).map(i -> i * i).boxed().toList();

        List<Bin> bins = Summary.of(values).histogram();

        assertThat(bins).hasSizeBetween(4, 12);
        assertThat(bins.stream().mapToInt(Bin::count).sum()).isEqualTo(500);
    }
}
