package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.IgnoredRecord;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogReaderTest {

    private static final TopicPartition FIRST = new TopicPartition("topic", 0);
    private static final TopicPartition SECOND = new TopicPartition("topic", 1);

    private int wakeupsWhileOpening;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none") {
        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
            if (wakeupsWhileOpening-- > 0) {
                throw new WakeupException();
            }
            return super.endOffsets(partitions);
        }
    };
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final RecordCodec codec = new RecordCodec("group");
    private final LogReader reader = new LogReader(consumer, "topic", 2, codec);

    private void log(TopicPartition partition, long begin, long end) {
        consumer.updateBeginningOffsets(Map.of(partition, begin));
        consumer.updateEndOffsets(Map.of(partition, end));
    }

    private void add(TopicPartition partition, long offset, byte[] key, Headers headers) {
        consumer.addRecord(new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key,
                null,
                headers,
                Optional.empty()));
    }

    private Map<Integer, Input.RecordsRead> read() {
        return ((LogReader.Batch.Read) reader.poll(Duration.ZERO)).records();
    }

    @Test
    void a_log_is_read_from_ten_thousand_records_before_its_end() {
        log(FIRST, 0, 25_000);
        log(SECOND, 0, 10_000);
        assertThat(reader.open(List.of(0, 1), LIMIT))
                .containsEntry(0, new Input.LogOpened(15_000, 25_000))
                .containsEntry(1, new Input.LogOpened(0, 10_000));
        assertThat(consumer.position(FIRST)).isEqualTo(15_000);
    }

    @Test
    void a_log_that_begins_later_is_read_from_its_beginning() {
        log(FIRST, 20_000, 25_000);
        log(SECOND, 0, 0);
        assertThat(reader.open(List.of(0, 1), LIMIT))
                .containsEntry(0, new Input.LogOpened(20_000, 25_000))
                .containsEntry(1, new Input.LogOpened(0, 0));
    }

    @Test
    void being_woken_ends_the_opening_and_leaves_it_to_the_next() {
        log(FIRST, 0, 7);
        reader.pause(Set.of(0));
        wakeupsWhileOpening = 1;
        assertThatThrownBy(() -> reader.open(List.of(0), LIMIT)).isInstanceOf(WakeupException.class);
        assertThat(consumer.paused()).containsExactly(FIRST);
        assertThat(reader.open(List.of(0), LIMIT)).containsEntry(0, new Input.LogOpened(0, 7));
    }

    @Test
    void brokers_that_do_not_answer_end_the_opening() {
        consumer.setOffsetsException(new TimeoutException("no answer"));
        assertThatThrownBy(() -> reader.open(List.of(0), LIMIT)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void records_come_in_order_with_the_next_position() {
        log(FIRST, 0, 0);
        log(SECOND, 0, 0);
        reader.open(List.of(0, 1), LIMIT);
        LogRecord.Bid bid = Records.bid(new MemberId("m", new UUID(1, 2)), 3);
        Headers headers = new RecordHeaders();
        codec.encode(bid).forEach(headers::add);
        headers.add("without-value", null);
        add(FIRST, 0, codec.key(), headers);
        add(FIRST, 4, null, new RecordHeaders()); // a hole before it
        add(SECOND, 0, codec.key(), new RecordHeaders());

        assertThat(read())
                .containsEntry(
                        0,
                        new Input.RecordsRead(
                                List.of(
                                        new LogEntry(0, bid),
                                        new LogEntry(4, new Decoded.Unreadable(IgnoredRecord.FOREIGN_KEY))),
                                5))
                .containsEntry(
                        1,
                        new Input.RecordsRead(
                                List.of(new LogEntry(0, new Decoded.Unreadable(IgnoredRecord.NOT_NELI))), 1));
        assertThat(read()).isEmpty();
    }

    @Test
    void a_reader_that_is_woken_has_read_nothing() {
        log(FIRST, 0, 0);
        log(SECOND, 0, 0);
        reader.open(List.of(0, 1), LIMIT);
        reader.wakeup();
        assertThat(reader.poll(Duration.ofHours(1))).isEqualTo(new LogReader.Batch.Read(Map.of()));
    }

    @Test
    void records_that_are_gone_are_a_gap_in_their_partition() {
        log(FIRST, 0, 0);
        log(SECOND, 0, 0);
        reader.open(List.of(0, 1), LIMIT);
        consumer.setPollException(new OffsetOutOfRangeException(Map.of(SECOND, 5L)));
        assertThat(reader.poll(Duration.ZERO)).isEqualTo(new LogReader.Batch.Gap(Set.of(1)));

        consumer.setPollException(new LogTruncationException(Map.of(FIRST, 5L, SECOND, 5L), Map.of()));
        assertThat(reader.poll(Duration.ZERO)).isEqualTo(new LogReader.Batch.Gap(Set.of(0, 1)));

        log(SECOND, 40, 50);
        assertThat(reader.open(List.of(1), LIMIT)).containsEntry(1, new Input.LogOpened(40, 50));
    }

    @Test
    void a_paused_partition_is_read_again_once_it_is_opened() {
        log(FIRST, 0, 0);
        log(SECOND, 0, 0);
        reader.open(List.of(0, 1), LIMIT);
        reader.pause(Set.of(1));
        assertThat(consumer.paused()).containsExactly(SECOND);
        reader.open(Set.of(1), LIMIT);
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void all_partitions_are_read_from_the_start() {
        assertThat(consumer.assignment()).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(IntStream.range(0, 2))
                .allMatch(number -> consumer.assignment().contains(new TopicPartition("topic", number)));
        reader.close();
        assertThat(consumer.closed()).isTrue();
    }
}
