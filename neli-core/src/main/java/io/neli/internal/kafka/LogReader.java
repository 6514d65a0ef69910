package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.RecordCodec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;

/** Reads the partitions of the leader topic completely and in order. Belongs to one thread, except {@link #wakeup()}. */
final class LogReader implements AutoCloseable {

    /** How far before its end a log is read: further back than any lease. */
    private static final long LOOKBACK = 10_000;

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final RecordCodec codec;

    LogReader(Consumer<byte[], byte[]> consumer, String topic, int partitions, RecordCodec codec) {
        this.consumer = consumer;
        this.topic = topic;
        this.codec = codec;
        consumer.assign(IntStream.range(0, partitions).mapToObj(this::partition).toList());
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(topic, number);
    }

    /** The result of a poll. */
    sealed interface Batch {

        /** Records, by partition; none if the timeout passed or the reader was woken. */
        record Read(Map<Integer, Input.RecordsRead> records) implements Batch {}

        /** The offsets to be read next are gone: deleted, truncated, or of another topic. */
        record Gap(Set<Integer> partitions) implements Batch {}
    }

    /** Stops reading partitions until they are opened again: the client would retry without a pause. */
    void pause(Collection<Integer> partitions) {
        consumer.pause(partitions.stream().map(this::partition).toList());
    }

    /**
     * Begins to read partitions near their end.
     *
     * @param limit how long to wait for each of two answers
     * @throws org.apache.kafka.common.errors.TimeoutException if the brokers do not answer in time
     * @throws WakeupException if there is something else to do; nothing has changed then
     */
    Map<Integer, Input.LogOpened> open(Collection<Integer> partitions, Duration limit) {
        List<TopicPartition> wanted = partitions.stream().map(this::partition).toList();
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(wanted, limit);
        Map<TopicPartition, Long> ends = consumer.endOffsets(wanted, limit);
        Map<Integer, Input.LogOpened> opened = new HashMap<>();
        for (TopicPartition partition : wanted) {
            long end = Objects.requireNonNull(ends.get(partition), "no end offset was answered");
            long begin = Objects.requireNonNull(begins.get(partition), "no first offset was answered");
            long start = Math.max(begin, end - LOOKBACK);
            consumer.seek(partition, start);
            opened.put(partition.partition(), new Input.LogOpened(start, end));
        }
        consumer.resume(wanted);
        return opened;
    }

    /** Waits for records by the wall clock: if that is set back, the wait is as much longer unless it is woken. */
    Batch poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records;
        try {
            records = consumer.poll(timeout);
        } catch (WakeupException e) {
            return new Batch.Read(Map.of());
        } catch (OffsetOutOfRangeException e) { // LogTruncationException is one
            return new Batch.Gap(e.offsetOutOfRangePartitions().keySet().stream()
                    .map(TopicPartition::partition)
                    .collect(Collectors.toSet()));
        }
        Map<Integer, Input.RecordsRead> read = new HashMap<>();
        records.nextOffsets()
                .forEach((partition, next) -> read.put(
                        partition.partition(), new Input.RecordsRead(entries(records, partition), next.offset())));
        return new Batch.Read(read);
    }

    private List<LogEntry> entries(ConsumerRecords<byte[], byte[]> records, TopicPartition partition) {
        List<LogEntry> entries = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
            Map<String, byte[]> headers = new HashMap<>();
            for (Header header : record.headers()) {
                if (header.value() != null) {
                    headers.put(header.key(), header.value());
                }
            }
            entries.add(new LogEntry(record.offset(), codec.decode(record.key(), headers)));
        }
        return entries;
    }

    /** Ends the current {@link #poll} or {@link #open}, or the next one. May be called from any thread. */
    void wakeup() {
        consumer.wakeup();
    }

    /** Immediate: there is nothing to lose. */
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
