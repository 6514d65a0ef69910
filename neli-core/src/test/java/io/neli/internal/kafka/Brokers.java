package io.neli.internal.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import kafka.server.BrokerServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;

/**
 * Brokers, numbered from 0, and a controller in this JVM. They have Kafka's defaults, except for what a few brokers
 * need, and need to start quickly.
 */
public final class Brokers implements AutoCloseable {

    private static final Map<String, String> SETTINGS = Map.of(
            "group.initial.rebalance.delay.ms", "0",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "transaction.state.log.num.partitions", "1",
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "3", // the default, fifty, takes seconds to load
            "authorizer.class.name", RefusingAuthorizer.class.getName());

    private final KafkaClusterTestKit kit;
    private final Admin admin;
    private final Producer<byte[], byte[]> producer;

    private Brokers(KafkaClusterTestKit kit) {
        this.kit = kit;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static final class Shared {
        static final Brokers ONE = start(1, true);
    }

    /** The broker that all tests share. It ends with the JVM. */
    public static Brokers shared() {
        return Shared.ONE;
    }

    /** Brokers for one test, which do not create a topic just because a client asks for it. */
    public static Brokers start(int number) {
        return start(number, false);
    }

    @SuppressWarnings("try") // the kit's close() may be interrupted
    private static Brokers start(int number, boolean createTopics) {
        TestKitNodes nodes = new TestKitNodes.Builder()
                .setNumControllerNodes(1)
                .setNumBrokerNodes(number)
                .build();
        KafkaClusterTestKit.Builder builder = new KafkaClusterTestKit.Builder(nodes);
        SETTINGS.forEach(builder::setConfigProp);
        builder.setConfigProp("auto.create.topics.enable", Boolean.toString(createTopics));
        try {
            KafkaClusterTestKit kit = builder.build();
            kit.format();
            kit.startup();
            kit.waitForReadyBrokers();
            return new Brokers(kit);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public String bootstrapServers() {
        return kit.bootstrapServers();
    }

    public String clusterId() {
        return answer(admin.describeCluster().clusterId());
    }

    /** Shuts the broker down gracefully. */
    public void shutdown(int broker) {
        kit.brokers().get(broker).shutdown();
    }

    /** Starts a broker if it was shut down. */
    public void restore(int broker) {
        if (kit.brokers().get(broker).isShutdown()) {
            kit.brokers().get(broker).startup();
            eventually().until(() -> answer(admin.describeCluster().nodes()).stream()
                    .anyMatch(node -> node.id() == broker));
        }
    }

    /** Shuts the first broker down, changes its log directory, and starts it again on the same port. */
    void restart(Consumer<Path> change) {
        BrokerServer server = kit.brokers().get(0);
        server.shutdown();
        change.accept(Path.of(server.config().logDirs().get(0)));
        server.startup();
    }

    /** Creates a topic with one replica. */
    public void create(String topic, int partitions, Map<String, String> config) {
        create(new NewTopic(topic, partitions, (short) 1).configs(config));
    }

    /** Creates a topic on these brokers, by partition, with the settings that a quorum needs. */
    void create(String topic, List<List<Integer>> replicas) {
        create(topic, replicas, KafkaSettings.QUORUM_TOPIC);
    }

    void create(String topic, List<List<Integer>> replicas, Map<String, String> config) {
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        replicas.forEach(each -> assignment.put(assignment.size(), each));
        create(new NewTopic(topic, assignment).configs(config));
    }

    private void create(NewTopic topic) {
        eventually()
                .ignoreExceptions()
                .untilAsserted(() -> answer(admin.createTopics(List.of(topic)).all()));
        awaitTopic(topic.name());
    }

    /** Waits until all brokers know the topic, because a client may ask any of them. */
    void awaitTopic(String topic) {
        eventually().until(() -> kit.brokers().values().stream()
                .allMatch(broker -> broker.metadataCache().contains(topic)));
    }

    public void delete(String topic) {
        answer(admin.deleteTopics(List.of(topic)).all());
    }

    public void addPartitions(String topic, int width) {
        answer(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(width)))
                .all());
    }

    public boolean exists(String topic) {
        return answer(admin.listTopics().names()).contains(topic);
    }

    public TopicDescription describe(String topic) {
        return answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    }

    /** The brokers of each partition. */
    public List<List<Integer>> replicas(String topic) {
        return describe(topic).partitions().stream()
                .map(TopicPartitionInfo::replicas)
                .map(replicas -> replicas.stream().map(Node::id).toList())
                .toList();
    }

    /** The settings of the topic itself. */
    public Map<String, String> config(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return answer(admin.describeConfigs(List.of(resource)).all()).get(resource).entries().stream()
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    public void configure(String topic, Map<String, String> config) {
        answer(admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        config.entrySet().stream()
                                .map(entry -> new AlterConfigOp(
                                        new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                                .toList()))
                .all());
    }

    /** Appends a record to partition 0 and returns its offset. */
    public long append(String topic, byte[] key, byte[] value, Map<String, byte[]> headers) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, 0, key, value);
        headers.forEach(message.headers()::add);
        return answer(producer.send(message)).offset();
    }

    /** All records in the first partition now. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers(), "auto.offset.reset", "none"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            Long end = consumer.endOffsets(List.of(partition)).get(partition);
            for (int polls = 0; polls < 120 && end != null && consumer.position(partition) < end; polls++) {
                consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
            }
        }
        return records;
    }

    private static <T> T answer(Future<T> asked) {
        try {
            return AdminRequests.answer(asked, PATIENCE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
        try {
            kit.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
