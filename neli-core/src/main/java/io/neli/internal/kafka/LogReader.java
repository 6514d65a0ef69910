package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** Reads the logs completely and in order. Belongs to one thread. */
final class LogReader {

    private final Consumer<byte[], byte[]> consumer;
    private final KafkaRecords kafkaRecords;
    private final Duration margin;
    private final Map<TopicPartition, LogId> logs = new HashMap<>();

    /** Reads nothing until {@link #start}. */
    LogReader(Consumer<byte[], byte[]> consumer, ShellSettings settings, KafkaRecords kafkaRecords) {
        this.consumer = consumer;
        this.kafkaRecords = kafkaRecords;
        this.margin = settings.election().heartbeatInterval().dividedBy(4);
        settings.logs().forEach(log -> logs.put(kafkaRecords.partition(log), log));
        consumer.assign(logs.keySet());
        consumer.pause(logs.keySet());
        logs.keySet().forEach(partition -> consumer.seek(partition, 0)); // the client needs a position for each
    }

    private LogId log(TopicPartition partition) {
        return Objects.requireNonNull(logs.get(partition));
    }

    sealed interface Batch {

        /**
         * Records, by log; none if the timeout passed or the reader was woken.
         *
         * @param next the next offset to read of the same logs, with the leader epoch of the record before it
         */
        record Read(Map<LogId, Input.RecordsRead> records, Map<LogId, OffsetAndMetadata> next) implements Batch {

            static final Read NOTHING = new Read(Map.of(), Map.of());
        }

        /** The next offsets to read are gone: deleted, truncated, or part of a topic that was replaced. */
        record Gap(Set<LogId> logs) implements Batch {}

        /** The record at that offset is corrupt. The log is paused. */
        record Corrupt(LogId log, long offset, KafkaException why) implements Batch {}
    }

    /**
     * Reads a log from there. If a leader epoch is given, Kafka's client first checks that the log was not truncated.
     */
    void start(LogId log, OffsetAndMetadata from) {
        consumer.seek(kafkaRecords.partition(log), from);
        consumer.resume(List.of(kafkaRecords.partition(log)));
    }

    /** Stops reading these logs until {@link #start}. Otherwise the client would retry without a pause. */
    void pause(Collection<LogId> paused) {
        consumer.pause(paused.stream().map(kafkaRecords::partition).toList());
    }

    /**
     * Waits for records. Kafka's client waits by the wall clock, so it is also woken by the monotonic one: if the wall
     * clock were set back, a fence would be late by as much.
     */
    @SuppressWarnings("FutureReturnValueIgnored")
    Batch poll(Duration timeout) {
        CompletableFuture<Void> late = new CompletableFuture<Void>()
                .completeOnTimeout(null, timeout.plus(margin).toNanos(), TimeUnit.NANOSECONDS);
        late.thenRun(consumer::wakeup);
        try {
            return read(consumer.poll(timeout));
        } catch (WakeupException e) {
            return Batch.Read.NOTHING;
        } catch (OffsetOutOfRangeException e) { // LogTruncationException is one
            return new Batch.Gap(e.offsetOutOfRangePartitions().keySet().stream()
                    .map(this::log)
                    .collect(Collectors.toSet()));
        } catch (KafkaException e) {
            return corrupt(e);
        } finally {
            late.cancel(false);
        }
    }

    private Batch read(ConsumerRecords<byte[], byte[]> records) {
        Map<LogId, Input.RecordsRead> read = new HashMap<>();
        Map<LogId, OffsetAndMetadata> next = new HashMap<>();
        records.nextOffsets().forEach((partition, position) -> {
            LogId log = log(partition);
            List<LogEntry> entries = records.records(partition).stream()
                    .map(record -> new LogEntry(record.offset(), kafkaRecords.decode(log, record)))
                    .toList();
            read.put(log, new Input.RecordsRead(entries, position.offset()));
            next.put(log, position);
        });
        return new Batch.Read(read, next);
    }

    /** The corrupt record is at the partition's position, because all records before it have been returned. */
    private Batch corrupt(KafkaException failure) {
        TopicPartition partition = logs.keySet().stream()
                .filter(each -> KafkaRecords.isCorrupt(each, failure))
                .findFirst()
                .orElseThrow(() -> failure);
        long offset = consumer.position(partition);
        LogId log = log(partition);
        pause(Set.of(log));
        consumer.seek(partition, offset + 1); // drops what was fetched
        return new Batch.Corrupt(log, offset, failure);
    }
}
