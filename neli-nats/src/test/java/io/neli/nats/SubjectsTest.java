package io.neli.nats;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectsTest {

    private final Subjects subjects = new Subjects("billing");

    @Test
    void a_partition_has_a_subject_that_tells_its_number() {
        assertThat(subjects.of(17)).isEqualTo("neli.billing.17");
        assertThat(subjects.partition(subjects.of(17))).isEqualTo(17);
    }

    @Test
    void other_subjects_are_no_partitions() {
        assertThat(subjects.partition(subjects.members())).isNegative();
        assertThat(subjects.partition("neli.billing.1.2")).isNegative();
        assertThat(subjects.partition("neli.billing.-1")).isNegative();
        assertThat(subjects.partition("neli.billing.99999999999999999999")).isNegative();
        assertThat(subjects.partition("neli.other.1")).isNegative();
    }
}
