package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.LogHistory;
import io.neli.internal.election.LogId;
import io.neli.internal.election.PartitionHistory;
import io.neli.internal.election.PastTerm;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.HistoryLimit;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
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
        caller.setContextClassLoader(DaemonThread.loaderOfNeli(context)); // for the clients
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
        } catch (UnusableLogException | IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException e) { // of no log in particular
            throw unusable(new LogId(partition, 0), e);
        } finally {
            caller.setContextClassLoader(context);
        }
    }

    private UnusableLogException unusable(LogId log, RuntimeException why) {
        if (why instanceof UnknownTopicOrPartitionException) {
            return new UnusableLogException(
                    "there is no topic '" + settings.shell().topic(log.log()) + "' with a partition " + log.partition(),
                    "check the group id, the topic's name and the roles; the first member that may lead creates it");
        }
        return new UnusableLogException(new KafkaProblems(settings).ofTopic(log.log(), why), why);
    }

    private List<Part> find(int partition, long since) throws InterruptedException {
        List<Part> parts = new ArrayList<>();
        UnusableLogException failure = null;
        Admin admin = clients.admin();
        try {
            kafkaRecords.setCluster(AdminRequests.answer(admin.describeCluster().clusterId()));
            Map<Integer, KafkaFuture<TopicDescription>> topics =
                    AdminRequests.describe(admin, settings.shell(), settings.numbers(), false);
            List<KafkaFuture<ListOffsetsResultInfo>> starts = ask(admin, partition, OffsetSpec.forTimestamp(since));
            List<KafkaFuture<ListOffsetsResultInfo>> ends = ask(admin, partition, OffsetSpec.latest());
            for (int number : settings.numbers()) {
                LogId log = new LogId(partition, number);
                try {
                    parts.add(part(log, topics.get(number), starts.get(number), ends.get(number)));
                } catch (RuntimeException e) {
                    failure = unusable(log, e);
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

    private static Part part(
            LogId log,
            @Nullable KafkaFuture<TopicDescription> topic,
            KafkaFuture<ListOffsetsResultInfo> first,
            KafkaFuture<ListOffsetsResultInfo> last)
            throws InterruptedException {
        if (log.partition() >= AdminRequests.answer(topic).partitions().size()) {
            throw new UnknownTopicOrPartitionException(); // Kafka's client would ask for it until a timeout
        }
        long end = AdminRequests.answer(last).offset();
        long found = AdminRequests.answer(first).offset();
        long start = found < 0 ? end : found;
        return new Part(log, start, end, new LogHistory(start));
    }

    private List<KafkaFuture<ListOffsetsResultInfo>> ask(Admin admin, int partition, OffsetSpec which) {
        return settings.numbers().stream()
                .map(number -> kafkaRecords.partition(new LogId(partition, number)))
                .map(asked -> admin.listOffsets(Map.of(asked, which)).partitionResult(asked))
                .toList();
    }

    /** Leaves out the logs that cannot be read. */
    private List<LogHistory> readAll(List<Part> parts, HistoryLimit limit) {
        List<LogHistory> read = new ArrayList<>();
        UnusableLogException failure = null;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            Duration share = limit.left().dividedBy(parts.size() - i); // no log uses up the time of the others
            try {
                if (part.start == part.end || isRead(part, Deadline.after(share, clock))) {
                    read.add(part.history);
                } else {
                    failure = unusable(part.log, new TimeoutException(HistoryLimit.exceeded()));
                }
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                failure = unusable(part.log, e);
            }
        }
        if (failure != null && read.size() < settings.shell().majority()) {
            throw failure;
        }
        return read;
    }

    /** Reads a log, as far as it can before the deadline. Returns whether that is all of it. */
    private boolean isRead(Part part, Deadline deadline) {
        TopicPartition partition = kafkaRecords.partition(part.log);
        Consumer<byte[], byte[]> consumer = clients.reader("history"); // of one log, so that it fails alone
        try {
            consumer.assign(List.of(partition));
            consumer.seek(partition, part.start);
            while (consumer.position(partition) < part.end) {
                if (deadline.left().isZero()) {
                    return false;
                }
                readSome(consumer, part, partition);
            }
            return true;
        } finally {
            KafkaClients.close(consumer);
        }
    }

    /** Skips a corrupt batch, like {@link LogReader}. Ignores records from the end on: they were written meanwhile. */
    private void readSome(Consumer<byte[], byte[]> consumer, Part part, TopicPartition partition) {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < part.end) {
                    part.history.read(record.offset(), kafkaRecords.decode(part.log, record), record.timestamp());
                }
            }
        } catch (KafkaException e) {
            if (!KafkaRecords.isCorrupt(partition, e)) {
                throw e;
            }
            consumer.seek(partition, consumer.position(partition) + 1);
        }
    }
}
