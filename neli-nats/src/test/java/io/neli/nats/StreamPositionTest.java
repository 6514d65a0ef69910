package io.neli.nats;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

import io.neli.internal.election.MonotonicTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a member accepts that a stream ends before what was read. */
class StreamPositionTest {

    private static final ZonedDateTime CREATED = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final MonotonicTime READ = new MonotonicTime(1_000);

    private final StreamPosition position = new StreamPosition();

    private void haveReadTo(long sequence) {
        position.begin(CREATED, 1);
        position.read(sequence, CREATED, READ);
    }

    @Test
    void what_was_read_may_come_back_for_a_lease() {
        haveReadTo(9);

        assertThat(position.mayComeBack(8, READ, LEASE)).isTrue();
        assertThat(position.mayComeBack(8, new MonotonicTime(1_000 + LEASE.toNanos() - 1), LEASE))
                .isTrue();
        assertThat(position.mayComeBack(8, new MonotonicTime(1_000 + LEASE.toNanos()), LEASE))
                .isFalse();
    }

    @Test
    void a_stream_that_has_what_was_read_is_not_waited_for() {
        haveReadTo(9);

        assertThat(position.mayComeBack(9, READ, LEASE)).isFalse();
        assertThat(position.mayComeBack(10, READ, LEASE)).isFalse();
    }

    @Test
    void where_nothing_was_read_nothing_is_waited_for() {
        assertThat(position.mayComeBack(0, READ, LEASE)).isFalse();

        position.begin(CREATED, 5);

        assertThat(position.mayComeBack(1, READ, LEASE)).isFalse();
    }
}
