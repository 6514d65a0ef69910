package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a member's Kafka clients, and waits for the admin client's answers. Each client has the application's
 * properties, overridden by those that the election needs. Tests substitute other clients.
 */
class KafkaClients {

    private static final Logger log = LoggerFactory.getLogger(KafkaClients.class);

    /** Longer than the admin client retries a request. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(7);

    /** A topic that one broker has described may be unknown to another for a moment. */
    static final int APPEARANCE_TRIES = 100;

    static final long APPEARANCE_PAUSE_MILLIS = 20;

    /** Long, because a standby must keep the metadata and connections that its first bid needs. */
    private static final long IDLE_MILLIS = Duration.ofDays(1).toMillis();

    private static final int SHORTEST_PATIENCE_MILLIS = 2_000;
    private static final int LONGEST_PATIENCE_MILLIS = 30_000;

    /** Short, so that the client soon turns from a silent broker to another one. */
    private static final int ADMIN_REQUEST_MILLIS = 2_000;

    /** How long admin requests are retried. */
    private static final int ADMIN_PATIENCE_MILLIS = 6_000;

    /** Short, so that an unreachable broker delays nothing, but long enough to resend a lost packet. */
    private static final long CONNECTION_SETUP_MILLIS = 2_000;

    private static final long BACKOFF_MILLIS = 20;

    private static final int GROUP_HEARTBEAT_MILLIS = 500;

    /**
     * The application's properties that these clients never get. A static member sends no LeaveGroup. The reader has no
     * group and must be the classic consumer. The others would change what is read or written.
     */
    private static final Set<String> FOREIGN = Set.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            ConsumerConfig.CLIENT_RACK_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.PARTITIONER_CLASS_CONFIG);

    private final KafkaSettings settings;
    private final long lease;

    KafkaClients(KafkaSettings settings) {
        this.settings = settings;
        this.lease = settings.shell().election().leaseDuration().toMillis();
    }

    Admin admin() {
        return Admin.create(adminProperties());
    }

    /** A consumer without a group. */
    Consumer<byte[], byte[]> reader(String purpose) {
        return new KafkaConsumer<>(readerProperties(purpose));
    }

    Consumer<byte[], byte[]> group(NeliAssignor.Delegate delegate) {
        Map<String, Object> group = groupProperties();
        group.put(NeliAssignor.DELEGATE, delegate);
        return new KafkaConsumer<>(group);
    }

    Producer<byte[], byte[]> writer() {
        return new KafkaProducer<>(writerProperties());
    }

    /** Waits for the brokers' answer to an admin request; throws the cause if it fails. */
    static <T> T answer(@Nullable Future<T> asked) throws InterruptedException {
        return answer(Objects.requireNonNull(asked, "not asked for"), ANSWER_LIMIT);
    }

    static <T> T answer(Future<T> asked, Duration limit) throws InterruptedException {
        try {
            return asked.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + limit.toSeconds() + " s", e);
        }
    }

    /** The configuration of an existing topic; null if this member may not read it. */
    static @Nullable Config config(Admin admin, String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        for (int tries = 1; ; tries++) {
            try {
                return answer(admin.describeConfigs(List.of(resource)).values().get(resource));
            } catch (AuthorizationException e) {
                log.debug("Not allowed to read the configuration of {}: it is not checked", topic);
                return null;
            } catch (UnknownTopicOrPartitionException e) {
                if (tries == APPEARANCE_TRIES) {
                    throw e;
                }
                Thread.sleep(APPEARANCE_PAUSE_MILLIS);
            }
        }
    }

    /** Returns true if this call created the topic, false if the topic existed already. */
    static boolean create(Admin admin, NewTopic topic) throws InterruptedException {
        try {
            answer(admin.createTopics(List.of(topic)).all());
            return true;
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", topic.name());
            return false;
        }
    }

    /**
     * The timeout of the reader's requests. A short one would drop good connections while packets are lost, which costs
     * more than it saves. With a quorum, a connection serves only one log of a partition, and a long timeout would make
     * a starting member wait for a frozen broker.
     */
    private int patienceMillis() {
        int longest = settings.shell().quorum() == 1 ? LONGEST_PATIENCE_MILLIS : SHORTEST_PATIENCE_MILLIS;
        return Math.toIntExact(Math.min(longest, Math.max(SHORTEST_PATIENCE_MILLIS, 2 * lease)));
    }

    Map<String, Object> readerProperties(String purpose) {
        Map<String, Object> ours = common(purpose);
        ours.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMillis());
        ours.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMillis());
        ours.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        ours.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        ours.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        ours.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000); // each poll is a step of all partitions
        return lay(consumer(ours), ConsumerConfig.configNames());
    }

    Map<String, Object> groupProperties() {
        Map<String, Object> ours = common("group");
        ours.put(ConsumerConfig.GROUP_ID_CONFIG, settings.consumerGroup());
        ours.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        ours.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, NeliAssignor.class.getName());
        // A rebalance lasts until every member's next heartbeat.
        ours.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, GROUP_HEARTBEAT_MILLIS);
        // An idle consumer and its heartbeat thread wake up this often. Nothing urgent waits for the group.
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, (long) GROUP_HEARTBEAT_MILLIS);
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, (long) GROUP_HEARTBEAT_MILLIS);
        ours.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, Math.toIntExact(KafkaSettings.SESSION_TIMEOUT.toMillis()));
        // A hanging member delays an eager rebalance this long.
        ours.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 10_000);
        return lay(consumer(ours), ConsumerConfig.configNames());
    }

    private static Map<String, Object> consumer(Map<String, Object> ours) {
        ours.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        ours.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        ours.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // any loss of records must throw an exception
        ours.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        ours.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return ours;
    }

    Map<String, Object> writerProperties() {
        return lay(producer("out"), ProducerConfig.configNames());
    }

    private Map<String, Object> producer(String purpose) {
        Map<String, Object> ours = common(purpose);
        ours.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        ours.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        ours.put(ProducerConfig.ACKS_CONFIG, "all");
        ours.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        ours.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        ours.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        ours.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        ours.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0); // send() must never block the election's thread
        ours.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(lease));
        ours.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(Math.min(lease / 2, 2000)));
        ours.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, IDLE_MILLIS);
        ours.put(ProducerConfig.BATCH_SIZE_CONFIG, 1024);
        ours.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 1024L * 1024);
        ours.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        return ours;
    }

    /**
     * For the records of runs. Leadership does not wait for them, so the limit may allow the brokers to elect a new
     * leader of the topic.
     */
    Producer<byte[], byte[]> runsWriter(Duration limit) {
        Map<String, Object> ours = producer("runs-out");
        ours.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, limit.toMillis());
        ours.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(limit.toMillis()));
        ours.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_REQUEST_MILLIS);
        return new KafkaProducer<>(lay(ours, ProducerConfig.configNames()));
    }

    Map<String, Object> adminProperties() {
        Map<String, Object> ours = common("admin");
        ours.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_REQUEST_MILLIS);
        ours.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_PATIENCE_MILLIS);
        return lay(ours, AdminClientConfig.configNames());
    }

    /** Logs, in one line, the names of the application's properties that the election does not use. */
    void logOverridden() {
        Set<String> names = overridden();
        if (!names.isEmpty()) {
            log.info(
                    "Group {}: these client properties are the application's own and not used for the election: {}",
                    settings.shell().groupId(),
                    names);
        }
    }

    Set<String> overridden() {
        List<Map<String, Object>> clients =
                List.of(readerProperties("log"), groupProperties(), writerProperties(), adminProperties());
        Set<String> overridden = new TreeSet<>();
        settings.client().forEach((name, value) -> {
            String given = String.valueOf(value);
            if (FOREIGN.contains(name)
                    || clients.stream()
                            .anyMatch(client -> !given.equals(String.valueOf(client.getOrDefault(name, value))))) {
                overridden.add(name);
            }
        });
        return overridden;
    }

    private Map<String, Object> common(String purpose) {
        Map<String, Object> ours = new HashMap<>();
        ours.put(
                CommonClientConfigs.CLIENT_ID_CONFIG, "neli-" + settings.shell().name() + "-" + purpose);
        ours.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 30_000L);
        ours.put(CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG, IDLE_MILLIS);
        ours.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, BACKOFF_MILLIS);
        ours.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, Math.min(500, lease / 2));
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, BACKOFF_MILLIS);
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, Math.min(200, lease / 2));
        return ours;
    }

    private Map<String, Object> lay(Map<String, Object> ours, Set<String> known) {
        Map<String, Object> properties = new HashMap<>();
        // Metrics push would delay each start of a client, even if the brokers want no metrics.
        properties.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        properties.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, CONNECTION_SETUP_MILLIS);
        settings.client().forEach((name, value) -> {
            if (!FOREIGN.contains(name) && (known.contains(name) || !isOfSomeClient(name))) {
                properties.put(name, value);
            }
        });
        properties.putAll(ours);
        return properties;
    }

    private static boolean isOfSomeClient(String name) {
        return ConsumerConfig.configNames().contains(name)
                || ProducerConfig.configNames().contains(name)
                || AdminClientConfig.configNames().contains(name);
    }
}
