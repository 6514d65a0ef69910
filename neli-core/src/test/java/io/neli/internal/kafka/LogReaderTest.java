package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogReaderTest {

    private static final TopicPartition FIRST = new TopicPartition("group.neli", 0);
    private static final TopicPartition SECOND = new TopicPartition("group.neli", 1);
    private static final TopicPartition OTHER = new TopicPartition("group.neli.1", 0);
    private static final int EPOCH = 5;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final ShellSettings settings =
            Settings.withQuorum(Settings.offline(Map.of()), 2, 3).shell();
    private final LogReader reader = reader(consumer);

    private LogReader reader(Consumer<byte[], byte[]> of) {
        return new LogReader(of, settings, new KafkaRecords(settings));
    }

    private static LogId log(TopicPartition partition) {
        return new LogId(partition.partition(), partition.topic().equals("group.neli") ? 0 : 1);
    }

    private void start(TopicPartition partition, long offset) {
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        reader.start(log(partition), new OffsetAndMetadata(offset));
    }

    /** Polls again if a stall of the machine has woken the reader. */
    private LogReader.Batch poll() {
        LogReader.Batch batch = reader.poll(Duration.ZERO);
        while (batch.equals(LogReader.Batch.Read.NOTHING)) {
            batch = reader.poll(Duration.ZERO);
        }
        return batch;
    }

    @Test
    void records_that_are_gone_are_a_gap_in_their_partition() {
        start(FIRST, 0);
        start(SECOND, 0);
        consumer.setPollException(new OffsetOutOfRangeException(Map.of(SECOND, 5L)));
        assertThat(poll()).isEqualTo(new LogReader.Batch.Gap(Set.of(log(SECOND))));

        consumer.setPollException(new LogTruncationException(Map.of(FIRST, 5L, SECOND, 5L), Map.of()));
        assertThat(poll()).isEqualTo(new LogReader.Batch.Gap(Set.of(log(FIRST), log(SECOND))));
    }

    @Test
    void a_paused_partition_is_read_again_once_it_is_opened() {
        start(FIRST, 0);
        start(SECOND, 0);
        reader.pause(Set.of(log(SECOND)));
        assertThat(consumer.paused()).contains(SECOND).doesNotContain(FIRST);
        start(SECOND, 7);
        assertThat(consumer.paused()).doesNotContain(SECOND);
        assertThat(consumer.position(SECOND)).isEqualTo(7);
    }

    @Test
    void nothing_is_read_of_a_partition_before_it_is_started() {
        assertThat(consumer.assignment()).hasSize(6).contains(FIRST, SECOND, OTHER);
        start(SECOND, 0);
        assertThat(consumer.paused()).hasSize(5).contains(FIRST, OTHER).doesNotContain(SECOND);
    }

    @Test
    void the_next_offset_comes_with_the_leader_epoch_of_the_record_before_it() {
        start(FIRST, 0);
        consumer.addRecord(new ConsumerRecord<>(
                FIRST.topic(),
                FIRST.partition(),
                0,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                null,
                null,
                new RecordHeaders(),
                Optional.of(EPOCH)));
        LogReader.Batch.Read batch = (LogReader.Batch.Read) poll();
        assertThat(batch.next()).containsOnlyKeys(log(FIRST));
        assertThat(batch.next().get(log(FIRST))).isEqualTo(new OffsetAndMetadata(1, Optional.of(EPOCH), ""));
    }

    /** Kafka's client names the partition only in its message. */
    @Test
    void a_corrupt_batch_of_another_log_is_told_from_one_of_the_first() {
        start(OTHER, 3);
        consumer.setPollException(new KafkaException(
                "Received exception when fetching the next record from group.neli.1-0. If needed, ..."));
        assertThat(poll()).isInstanceOfSatisfying(LogReader.Batch.Corrupt.class, corrupt -> assertThat(corrupt.log())
                .isEqualTo(log(OTHER)));
    }

    @Test
    void a_failure_that_names_no_partition_of_the_topic_is_thrown() {
        start(FIRST, 0);
        for (KafkaException failure :
                List.of(new KafkaException("meant to fail"), new TopicAuthorizationException("group.neli-0"))) {
            consumer.setPollException(failure);
            assertThatThrownBy(this::poll).isSameAs(failure);
        }
    }

    /** Only a wakeup ends a poll, as when the wall clock is set back. */
    private static final class HeldConsumer extends MockConsumer<byte[], byte[]> {
        private final Semaphore wakeups = new Semaphore(0);
        private boolean held;

        HeldConsumer() {
            super("none");
        }

        @Override
        public void wakeup() {
            wakeups.release();
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (held) {
                wakeups.acquireUninterruptibly();
                throw new WakeupException();
            }
            return super.poll(timeout);
        }
    }

    @Test
    void a_poll_that_lasts_longer_than_it_should_is_woken_and_one_that_does_not_is_left_alone() {
        HeldConsumer quick = new HeldConsumer();
        LogReader prompt = reader(quick);
        for (int polls = 0; polls < 20; polls++) {
            prompt.poll(Duration.ZERO);
        }
        HeldConsumer slow = new HeldConsumer();
        slow.held = true;
        MonotonicTime begun = MemberClock.system().time();
        assertThat(reader(slow).poll(Duration.ofMillis(100))).isEqualTo(LogReader.Batch.Read.NOTHING);
        assertThat(begun.until(MemberClock.system().time())).isGreaterThan(Duration.ofMillis(100));
        assertThat(quick.wakeups.availablePermits())
                .as("wakeups of polls, a few of which a stall may have made late")
                .isLessThan(20);
    }
}
