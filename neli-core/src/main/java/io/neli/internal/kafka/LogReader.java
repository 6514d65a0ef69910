package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.RecordCodec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;

/** Reads the partitions of the leader topic completely and in order. Belongs to one thread, except {@link #wakeup()}. */
final class LogReader implements AutoCloseable {

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final RecordCodec codec;
    private final Pattern named;

    /** Reads nothing until {@link #start}. */
    LogReader(Consumer<byte[], byte[]> consumer, String topic, int partitions, RecordCodec codec) {
        this.consumer = consumer;
        this.topic = topic;
        this.codec = codec;
        this.named = Pattern.compile(Pattern.quote(topic) + "-(\\d+)");
        List<TopicPartition> all =
                IntStream.range(0, partitions).mapToObj(this::partition).toList();
        consumer.assign(all);
        consumer.pause(all);
        all.forEach(partition -> consumer.seek(partition, 0)); // each must have some position
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(topic, number);
    }

    /** The result of a poll. */
    sealed interface Batch {

        /**
         * Records, by partition; none if the timeout passed or the reader was woken.
         *
         * @param next the next offset to read of the same partitions, with the leader epoch of the record before it
         */
        record Read(Map<Integer, Input.RecordsRead> records, Map<Integer, OffsetAndMetadata> next) implements Batch {

            static final Read NOTHING = new Read(Map.of(), Map.of());
        }

        /** The offsets to be read next are gone: deleted, truncated, or of another topic. */
        record Gap(Set<Integer> partitions) implements Batch {}

        /** The record at that offset is corrupt. The partition is paused. */
        record Corrupt(int partition, long offset, KafkaException why) implements Batch {}
    }

    /** Reads a partition from there; if a leader epoch is given, Kafka's client checks first that the log was not truncated. */
    void start(int partition, OffsetAndMetadata from) {
        consumer.seek(partition(partition), from);
        consumer.resume(List.of(partition(partition)));
    }

    /** Stops reading partitions until they are started again: the client would retry without a pause. */
    void pause(Collection<Integer> partitions) {
        consumer.pause(partitions.stream().map(this::partition).toList());
    }

    /** Waits for records by the wall clock: if that is set back, the wait is as much longer unless it is woken. */
    Batch poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records;
        try {
            records = consumer.poll(timeout);
        } catch (WakeupException e) {
            return Batch.Read.NOTHING;
        } catch (OffsetOutOfRangeException e) { // LogTruncationException is one
            return new Batch.Gap(e.offsetOutOfRangePartitions().keySet().stream()
                    .map(TopicPartition::partition)
                    .collect(Collectors.toSet()));
        } catch (KafkaException e) {
            return corrupt(e);
        }
        Map<Integer, Input.RecordsRead> read = new HashMap<>();
        Map<Integer, OffsetAndMetadata> next = new HashMap<>();
        records.nextOffsets().forEach((partition, position) -> {
            read.put(partition.partition(), new Input.RecordsRead(entries(records, partition), position.offset()));
            next.put(partition.partition(), position);
        });
        return new Batch.Read(read, next);
    }

    /**
     * For a batch that fails its checks Kafka's client throws a plain KafkaException, which names the partition only in its
     * text, again at each poll. The offset is the partition's position, as records are returned up to the corrupt one.
     */
    private Batch corrupt(KafkaException failure) {
        boolean plain = failure.getClass() == KafkaException.class;
        Matcher name = named.matcher(String.valueOf(failure.getMessage()));
        if (!(plain || failure instanceof SerializationException) || !name.find()) {
            throw failure;
        }
        TopicPartition partition = partition(Integer.parseInt(name.group(1)));
        long offset = consumer.position(partition);
        consumer.pause(List.of(partition));
        consumer.seek(partition, offset + 1); // drops what was fetched
        return new Batch.Corrupt(partition.partition(), offset, failure);
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

    /** Ends the current {@link #poll}, or the next one. May be called from any thread. */
    void wakeup() {
        consumer.wakeup();
    }

    /** Immediate: there is nothing to lose. */
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
