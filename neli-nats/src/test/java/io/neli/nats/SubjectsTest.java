package io.neli.nats;

import java.time.ZonedDateTime;

import io.neli.internal.election.LogId;
import io.neli.internal.shell.ShellSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectsTest {

    private final ShellSettings settings = LeaderStreamTest.SETTINGS;
    private final Subjects subjects = new Subjects(settings.topic());
    private final Batch batch = new Batch(settings, subjects);

    private void add(String subject) {
        batch.add(new StreamMessage(1, 1, ZonedDateTime.now(), subject, null, new byte[0]));
    }

    @Test
    void a_partition_has_a_subject_that_tells_its_number() {
        assertThat(new Subjects("billing").of(17)).isEqualTo("neli.billing.17");

        add(subjects.of(0));

        assertThat(batch.take(2)).containsOnlyKeys(new LogId(0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"members", "1000", "0.2", "-1", "99999999999999999999"})
    void other_subjects_are_no_partitions(String last) {
        add(subjects.members().replace("members", last));

        assertThat(batch.take(2)).isEmpty();
    }
}
