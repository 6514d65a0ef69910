package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.LogHistory;
import io.neli.internal.election.LogId;
import io.neli.internal.election.PartitionHistory;
import io.neli.internal.election.PastTerm;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.HistoryLimit;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Reads the past terms of one partition from its logs, once, with its own Kafka clients. Belongs to one thread. */
public final class KafkaHistory {

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final KafkaClients clients;
    private final KafkaRecords kafkaRecords;
    private int failed;

    /** A log to read from its start up to its end; nothing is read if these are equal. */
    private record Part(LogId log, long start, long end, LogHistory history) {}

    /** Connects only in {@link #read}. */
    public KafkaHistory(KafkaSettings settings, MemberClock clock) {
        this.settings = settings;
        this.clock = clock;
        this.clients = new KafkaClients(settings);
        this.kafkaRecords = new KafkaRecords(settings.shell());
    }

    /**
     * The terms of a partition. A minority of its logs may be unreadable.
     *
     * @param since reads the records stored from then on, in milliseconds since the epoch
     * @throws UnusableLogException if too few logs can be read in time
     * @throws IllegalArgumentException if there are too many records
     */
    public List<PastTerm> read(int partition, long since) throws InterruptedException {
        Thread caller = Thread.currentThread();
        ClassLoader context = caller.getContextClassLoader();
        caller.setContextClassLoader(DaemonThread.knowingUs(context)); // for the clients
        try {
            HistoryLimit limit = new HistoryLimit(clock);
            long readAt = clock.now().wallMillis(); // before find(), which a broker that is down may delay
            List<Part> parts = find(partition, since);
            limit.check(parts.stream().mapToLong(part -> part.end - part.start).sum());
            List<LogHistory> read = readAll(parts, limit);
            int unread = settings.shell().quorum() - read.size();
            return PartitionHistory.of(read, settings.shell().majority() - unread, readAt);
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (UnknownTopicOrPartitionException e) {
            throw new UnusableLogException(
                    "there is no topic '" + settings.shell().topic(failed) + "' with a partition " + partition,
                    "check the group id, the topic's name and the roles; the first member that may lead creates it");
        } catch (UnusableLogException | IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new UnusableLogException(new KafkaProblems(settings).ofTopic(failed, e), e);
        } finally {
            caller.setContextClassLoader(context);
        }
    }

    private List<Part> find(int partition, long since) throws InterruptedException {
        List<Part> parts = new ArrayList<>();
        RuntimeException failure = null;
        Admin admin = clients.admin();
        try {
            kafkaRecords.areOfCluster(
                    KafkaClients.answer(admin.describeCluster().clusterId()));
            List<KafkaFuture<ListOffsetsResultInfo>> starts = ask(admin, partition, OffsetSpec.forTimestamp(since));
            List<KafkaFuture<ListOffsetsResultInfo>> ends = ask(admin, partition, OffsetSpec.latest());
            for (int number : settings.numbers()) {
                try {
                    long end = KafkaClients.answer(ends.get(number)).offset();
                    long found = KafkaClients.answer(starts.get(number)).offset();
                    long start = found < 0 ? end : found;
                    parts.add(new Part(new LogId(partition, number), start, end, new LogHistory(start)));
                } catch (RuntimeException e) {
                    failed = number;
                    failure = e;
                }
            }
        } finally {
            KafkaClients.close(admin);
        }
        if (failure != null && parts.size() < settings.shell().majority()) {
            throw failure;
        }
        return parts;
    }

    private List<KafkaFuture<ListOffsetsResultInfo>> ask(Admin admin, int partition, OffsetSpec which) {
        return settings.numbers().stream()
                .map(number -> kafkaRecords.partition(new LogId(partition, number)))
                .map(asked -> admin.listOffsets(Map.of(asked, which)).partitionResult(asked))
                .toList();
    }

    /** Leaves out the logs that could not be read in time. */
    private List<LogHistory> readAll(List<Part> parts, HistoryLimit limit) {
        Map<TopicPartition, Part> unread = new HashMap<>();
        parts.stream()
                .filter(part -> part.start < part.end)
                .forEach(part -> unread.put(kafkaRecords.partition(part.log), part));
        if (!unread.isEmpty()) {
            Consumer<byte[], byte[]> consumer = clients.reader("history");
            try {
                consumer.assign(unread.keySet());
                unread.forEach((place, part) -> consumer.seek(place, part.start));
                while (!unread.isEmpty() && !limit.left().isZero()) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                        read(unread.get(new TopicPartition(record.topic(), record.partition())), record);
                    }
                    unread.entrySet().removeIf(each -> consumer.position(each.getKey()) >= each.getValue().end);
                }
            } finally {
                KafkaClients.close(consumer);
            }
        }
        List<LogHistory> read = parts.stream()
                .filter(part -> !unread.containsValue(part))
                .map(Part::history)
                .toList();
        if (read.size() < settings.shell().majority()) {
            throw new TimeoutException(HistoryLimit.exceeded());
        }
        return read;
    }

    /** Ignores records from the end on: they were written meanwhile. */
    private void read(@Nullable Part part, ConsumerRecord<byte[], byte[]> record) {
        if (part != null && record.offset() < part.end) {
            part.history.read(record.offset(), kafkaRecords.decode(part.log, record), record.timestamp());
        }
    }
}
