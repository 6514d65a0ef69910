package io.neli.nats;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which messages are skipped because connections fall silent before them. */
class UnreadableTest {

    private static final ZonedDateTime CREATED = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private final Unreadable unreadable = new Unreadable();

    private long silentAt(long next, long end) {
        return unreadable.silentAt(CREATED, next, end);
    }

    @Test
    void the_second_connection_that_falls_silent_before_a_message_passes_it_over() {
        assertThat(silentAt(7, 7)).isZero();
        assertThat(silentAt(7, 20)).isEqualTo(1);
        assertThat(unreadable.first(CREATED)).isEqualTo(8);
    }

    @Test
    void one_that_falls_silent_elsewhere_proves_nothing() {
        assertThat(silentAt(7, 20)).isZero();
        assertThat(silentAt(9, 20)).isZero();
        assertThat(unreadable.first(CREATED)).isEqualTo(1);
    }

    @Test
    void nothing_is_passed_over_where_there_is_no_message() {
        assertThat(silentAt(7, 7)).isZero();
        assertThat(silentAt(7, 7)).isZero();
    }

    @Test
    void more_are_passed_over_each_time_while_what_follows_cannot_be_read_either() {
        assertThat(silentAt(7, 20)).isZero();
        assertThat(silentAt(7, 20)).isEqualTo(1);
        assertThat(silentAt(8, 20)).isEqualTo(2);
        assertThat(silentAt(10, 20)).isEqualTo(4);
        assertThat(silentAt(14, 20)).as("what is there").isEqualTo(6);
        assertThat(silentAt(25, 40)).isZero();
        assertThat(silentAt(25, 40)).isEqualTo(1);
    }

    @Test
    void a_stream_that_is_created_again_is_another() {
        assertThat(silentAt(7, 20)).isZero();
        assertThat(unreadable.silentAt(CREATED.plusDays(1), 7, 20)).isZero();
        assertThat(unreadable.silentAt(CREATED.plusDays(1), 7, 20)).isEqualTo(1);
        assertThat(unreadable.first(CREATED)).isEqualTo(1);
        assertThat(unreadable.first(CREATED.plusDays(1))).isEqualTo(8);
    }
}
