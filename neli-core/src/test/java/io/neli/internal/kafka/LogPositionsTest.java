package io.neli.internal.kafka;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogPositionsTest {

    private static final LogId LOG = new LogId(0, 0);

    private final LogPositions positions = new LogPositions(false);

    private Input.LogOpened open(long begin, long end) {
        return positions.open(LOG, begin, end);
    }

    @Test
    void a_log_is_read_from_two_hundred_records_before_its_end_and_if_they_do_not_suffice_from_ten_thousand() {
        assertThat(open(0, 25_000)).isEqualTo(new Input.LogOpened(24_800, 25_000, true));
        positions.extend(LOG);
        positions.read(Map.of(LOG, new OffsetAndMetadata(24_900))); // now it is known that more is needed
        assertThat(positions.isOpen(LOG)).isFalse();
        assertThat(open(0, 25_000)).isEqualTo(new Input.LogOpened(15_000, 25_000, false));
        positions.extend(LOG);
        assertThat(open(0, 10_000)).isEqualTo(new Input.LogOpened(0, 10_000, false));

        positions.lost(Set.of(LOG));
        assertThat(open(0, 25_000)).as("after a loss").isEqualTo(new Input.LogOpened(24_800, 25_000, true));
    }

    @Test
    void a_log_that_begins_later_is_read_from_its_beginning() {
        assertThat(open(24_900, 25_000)).isEqualTo(new Input.LogOpened(24_900, 25_000, false));
        positions.extend(LOG);
        assertThat(open(20_000, 25_000)).isEqualTo(new Input.LogOpened(20_000, 25_000, false));
        assertThat(open(0, 0)).isEqualTo(new Input.LogOpened(0, 0, false));
    }

    @Test
    void an_open_partition_is_read_on_from_where_it_was_read_to() {
        open(0, 10);
        assertThat(positions.next(LOG)).isEqualTo(new OffsetAndMetadata(0));
        OffsetAndMetadata read = new OffsetAndMetadata(10, Optional.of(3), "");
        positions.read(Map.of(LOG, read));
        assertThat(positions.next(LOG)).isEqualTo(read);
        assertThat(positions.offset(LOG)).isEqualTo(10);

        positions.lost(Set.of(LOG));
        assertThat(positions.next(LOG)).isNull();
        assertThat(positions.isOpen(LOG)).isFalse();
    }

    @Test
    void a_corrupt_record_is_never_read_again() {
        open(0, 10);
        positions.skip(LOG, 4);
        assertThat(positions.isOpen(LOG)).isFalse();
        assertThat(open(0, 10)).isEqualTo(new Input.LogOpened(5, 10, false));
        positions.lost(Set.of(LOG));
        assertThat(open(0, 10)).isEqualTo(new Input.LogOpened(5, 10, false));
    }

    /** The length of a corrupt batch is unknown. */
    @Test
    void more_is_skipped_each_time_that_no_record_could_be_read_after_the_last_skip() {
        open(0, 100);
        positions.skip(LOG, 4);
        positions.skip(LOG, 5);
        assertThat(open(0, 100)).isEqualTo(new Input.LogOpened(7, 100, false));
        positions.skip(LOG, 7);
        assertThat(open(0, 100)).isEqualTo(new Input.LogOpened(11, 100, false));
        positions.skip(LOG, 50);
        assertThat(open(0, 100)).isEqualTo(new Input.LogOpened(51, 100, false));
        positions.skip(LOG, 99);
        positions.skip(LOG, 100);
        assertThat(open(0, 100)).as("not beyond the end").isEqualTo(new Input.LogOpened(100, 100, false));
    }

    @Test
    void another_topic_has_other_positions_and_concerns_the_logs_of_its_number_only() {
        Uuid topic = Uuid.randomUuid();
        LogId other = new LogId(0, 1);
        positions.reset(0, topic);
        positions.reset(1, topic);
        open(0, 10);
        positions.skip(LOG, 4);
        open(0, 10);
        positions.open(other, 0, 10);

        positions.reset(0, Uuid.randomUuid());
        assertThat(positions.areOf(0, topic)).isFalse();
        assertThat(positions.areOf(1, topic)).isTrue();
        assertThat(positions.isOpen(LOG)).isFalse();
        assertThat(positions.isOpen(other)).isTrue();
        assertThat(open(0, 10)).isEqualTo(new Input.LogOpened(0, 10, false));
    }
}
