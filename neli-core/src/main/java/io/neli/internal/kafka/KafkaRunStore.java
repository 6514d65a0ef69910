package io.neli.internal.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import io.neli.internal.runs.RunText;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the runs of jobs in a compacted topic with one partition, next to the leader topic. With a quorum, it is
 * replicated although the logs are not: runs can wait the seconds that Kafka needs after the crash of a broker.
 */
public final class KafkaRunStore implements RunStore {

    private static final Logger log = LoggerFactory.getLogger(KafkaRunStore.class);

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(200);

    /** The key of the record that marks how far to read. No run has this key. */
    private static final String MARK = "mark";

    private static final String ORIGIN = "cluster";

    /** Small, because each new leader reads the segment being written, which is never compacted. */
    private static final String SEGMENT_BYTES = Integer.toString(1 << 20);

    private static final Map<String, String> COMPACTED = Map.ofEntries(
            Map.entry(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT),
            Map.entry(TopicConfig.SEGMENT_BYTES_CONFIG, SEGMENT_BYTES),
            Map.entry(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1"),
            Map.entry(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false"));

    /** What a topic that somebody else creates needs of these. */
    private static final String COMPACTION = "cleanup.policy=compact,segment.bytes=" + SEGMENT_BYTES;

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final KafkaClients clients;
    private final String topic;
    private final TopicPartition partition;

    /** Names this cluster in each record: a tool that mirrors topics may copy another cluster's records here. */
    private byte[] origin = new byte[0];

    /** The offset of a recent record of this member; records that are sent after its acknowledgement come later. */
    private volatile long knownOffset = -1;

    private boolean prepared;
    private @Nullable Producer<byte[], byte[]> producer;

    /** Why the former producer was closed. What it had not sent fails for this reason, too. */
    private volatile @Nullable Throwable closeReason;

    /** Connects on first use. */
    public KafkaRunStore(KafkaSettings settings, MemberClock clock) {
        this(settings, clock, new KafkaClients(settings));
    }

    KafkaRunStore(KafkaSettings settings, MemberClock clock, KafkaClients clients) {
        this.settings = settings;
        this.clock = clock;
        this.clients = clients;
        this.topic = settings.shell().topic() + ".runs";
        this.partition = new TopicPartition(topic, 0);
    }

    @Override
    public void prepare() throws InterruptedException {
        if (prepared) {
            return;
        }
        Admin admin = clients.admin();
        try {
            origin = AdminRequests.answer(admin.describeCluster().clusterId()).getBytes(StandardCharsets.UTF_8);
            check(
                    admin,
                    AdminRequests.answer(admin.describeTopics(List.of(topic))
                            .topicNameValues()
                            .get(topic)));
        } catch (UnknownTopicOrPartitionException e) {
            create(admin);
            AdminRequests.config(admin, topic); // waits until brokers know it: the client would log a warning
        } finally {
            KafkaClients.close(admin);
        }
        producer().partitionsFor(topic); // connects before the first run of a term
        prepared = true;
    }

    private void create(Admin admin) throws InterruptedException {
        if (!settings.createTopic()) {
            throw new UnusableLogException(
                    "there is no topic '" + topic + "' for the runs of jobs, and neli.topic.create is 'false'",
                    "create it with one partition, " + COMPACTION + ", or allow its creation");
        }
        int brokers = AdminRequests.answer(admin.describeCluster().nodes()).size();
        int wanted = Optional.ofNullable(settings.replicationFactor()).orElse(KafkaSettings.SAFE_REPLICATION);
        int replicas = Math.min(wanted, brokers);
        Map<String, String> config = new HashMap<>(COMPACTED);
        if (replicas >= KafkaSettings.SAFE_REPLICATION) {
            config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2");
        }
        if (AdminRequests.create(admin, new NewTopic(topic, 1, (short) replicas).configs(config))) {
            log.info("Created the topic {} for the runs of jobs, with replication factor {}", topic, replicas);
        }
    }

    private void check(Admin admin, TopicDescription found) throws InterruptedException {
        Map<String, String> config = AdminRequests.config(admin, topic);
        String cleanup = config.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        if (!cleanup.isEmpty() && !cleanup.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new UnusableLogException(
                    "the topic '" + topic + "' for the runs of jobs has cleanup.policy '" + cleanup
                            + "', which deletes the last run of a job that is rarely due",
                    "kafka-configs.sh --bootstrap-server " + settings.bootstrapServers()
                            + " --alter --entity-type topics --entity-name " + topic + " --add-config " + COMPACTION);
        }
        int replicas = found.partitions().get(0).replicas().size();
        String inSync = config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        if (replicas >= KafkaSettings.SAFE_REPLICATION && "1".equals(inSync)) {
            log.warn("Topic {}: min.insync.replicas is '1': a record can be lost with one broker; set it to 2", topic);
        }
    }

    /** Writes a mark and reads up to it: the end offset that a broker reports may be too early. */
    @Override
    public Map<RunKey, RunRecord> read() throws InterruptedException {
        prepared = false; // brokers may have created the topic again for a producer, with other settings
        prepare();
        MonotonicTime start = clock.time();
        CompletableFuture<Long> written = send(MARK, new byte[0]);
        Consumer<byte[], byte[]> consumer = clients.reader("runs-in");
        try {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long mark = AdminRequests.answer(written, LIMIT);
            if (mark < 0) { // the brokers no longer know it, after a retry
                throw new TimeoutException("the offset of what was written is not known");
            }
            knownOffset = mark;
            Map<RunKey, RunRecord> records = readTo(mark, consumer, start.plus(LIMIT));
            log.debug(
                    "Read {} to offset {} in {} ms",
                    partition,
                    mark,
                    start.until(clock.time()).toMillis());
            return records;
        } finally {
            KafkaClients.close(consumer);
        }
    }

    /** @param until when to give up if nothing has been read; each reading extends it */
    private Map<RunKey, RunRecord> readTo(long mark, Consumer<byte[], byte[]> consumer, MonotonicTime until) {
        Map<RunKey, RunRecord> records = new HashMap<>();
        MonotonicTime deadline = until;
        while (consumer.position(partition) <= mark) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            polled.forEach(record -> add(record, records));
            if (!polled.isEmpty()) {
                deadline = clock.time().plus(LIMIT); // a topic that was not compacted for days takes longer
            } else if (clock.time().hasReached(deadline)) {
                throw new TimeoutException("nothing was read for " + LIMIT.toSeconds() + " s");
            }
        }
        return records;
    }

    private void add(ConsumerRecord<byte[], byte[]> record, Map<RunKey, RunRecord> records) {
        Header from = record.headers().lastHeader(ORIGIN);
        if (from != null && !Arrays.equals(from.value(), origin)) {
            return;
        }
        Optional<RunRecord> value = text(record.value()).flatMap(RunText::parseValue);
        text(record.key())
                .flatMap(key -> RunText.parseKey(group(), key))
                .ifPresent(key -> value.ifPresentOrElse(run -> records.put(key, run), () -> records.remove(key)));
    }

    private static Optional<String> text(byte @Nullable [] bytes) {
        return Optional.ofNullable(bytes).map(each -> new String(each, StandardCharsets.UTF_8));
    }

    @Override
    public CompletionStage<?> write(RunKey key, RunRecord record) throws InterruptedException {
        prepare(); // after a failure, the topic may be missing
        long before = knownOffset;
        return send(RunText.key(group(), key), RunText.value(record).getBytes(StandardCharsets.UTF_8))
                .thenAccept(offset -> written(offset, before));
    }

    /**
     * Brokers may create a missing topic for a producer, with other settings. The next attempt checks them.
     *
     * @param offset negative if the brokers no longer know it, after a retry
     * @param before the offset of a record that was acknowledged before this one was sent
     */
    private void written(long offset, long before) {
        if (offset < 0) {
            return;
        }
        knownOffset = offset;
        if (offset <= before) {
            throw UnusableLogException.passing(
                    "the topic '" + topic + "' for the runs of jobs has lost records or was created again",
                    "jobs continue, and those whose last run is lost start over on the next leader");
        }
    }

    @Override
    public void forget(Collection<RunKey> keys) {
        for (RunKey key : keys) {
            CompletableFuture<Long> unused = send(RunText.key(group(), key), null);
        }
    }

    private String group() {
        return settings.shell().groupId();
    }

    /** Returns the record's offset. */
    private CompletableFuture<Long> send(String key, byte @Nullable [] value) {
        CompletableFuture<Long> sent = new CompletableFuture<>();
        try { // creating the producer may fail, too
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), value);
            record.headers().add(ORIGIN, origin);
            Future<RecordMetadata> unused = producer().send(record, (written, failure) -> {
                if (failure == null) {
                    sent.complete(written.offset());
                } else {
                    sent.completeExceptionally(Objects.requireNonNullElse(closeReason, failure));
                }
            });
        } catch (RuntimeException e) {
            sent.completeExceptionally(e);
        }
        return sent;
    }

    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> current = producer == null ? clients.runsWriter(LIMIT) : producer;
        closeReason = null;
        producer = current;
        return current;
    }

    /** Called after each failure. Makes the next attempt use a new producer and check the topic again. */
    @Override
    public Problem describe(Throwable failure) {
        prepared = false;
        closeReason = failure;
        close();
        return new KafkaProblems(settings).ofRuns(topic, failure);
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> current = producer;
        producer = null;
        if (current != null) {
            try {
                // An interrupt would end the wait for its thread, which then leaves meters behind.
                DaemonThread.uninterrupted(() -> current.close(Duration.ZERO));
            } catch (InterruptException e) {
                Thread.currentThread().interrupt(); // it is closed nevertheless
            }
        }
    }
}
