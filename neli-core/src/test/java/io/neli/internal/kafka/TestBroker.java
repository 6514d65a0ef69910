package io.neli.internal.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import kafka.server.BrokerServer;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import static io.neli.TestMember.eventually;

/** A broker in this JVM. It has Kafka's defaults, except for what a single broker needs, and needs to start quickly. */
public final class TestBroker extends Brokers {

    private final EmbeddedKafkaKraftBroker broker;
    private final Producer<byte[], byte[]> producer;

    private TestBroker(EmbeddedKafkaKraftBroker broker) {
        super(broker.getBrokersAsString());
        this.broker = broker;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static final class Shared {
        static final TestBroker BROKER = with(Map.of());
    }

    /** The broker that all tests share. It ends with the JVM. */
    public static TestBroker shared() {
        return Shared.BROKER;
    }

    /** A broker for one test. */
    public static TestBroker with(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("group.initial.rebalance.delay.ms", "0");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "1");
        all.put("offsets.topic.num.partitions", "3"); // the default, fifty, takes seconds to load
        all.put("authorizer.class.name", RefusingAuthorizer.class.getName());
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
        broker.brokerProperties(all);
        broker.afterPropertiesSet();
        return new TestBroker(broker);
    }

    /** Shuts the broker down, changes its log directory, and starts it again on the same port. */
    void restart(Consumer<Path> change) {
        BrokerServer server = broker.getCluster().brokers().get(0);
        server.shutdown();
        change.accept(Path.of(server.config().logDirs().get(0)));
        server.startup();
    }

    public void create(String topic, int partitions, Map<String, String> config) {
        eventually().ignoreException(TopicExistsException.class).until(() -> {
            answer(admin().createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
                    .all());
            return true;
        });
    }

    public void addPartitions(String topic, int width) {
        answer(admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(width)))
                .all());
    }

    public boolean exists(String topic) {
        try {
            describe(topic);
            return true;
        } catch (UnknownTopicOrPartitionException e) {
            return false;
        }
    }

    /** Appends a record to partition 0 and returns its offset. */
    public long append(String topic, byte[] key, byte[] value, Map<String, byte[]> headers) {
        return append(topic, 0, key, value, headers);
    }

    /** Appends a record and returns its offset. */
    public long append(String topic, int partition, byte[] key, byte[] value, Map<String, byte[]> headers) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, partition, key, value);
        headers.forEach(message.headers()::add);
        try {
            return producer.send(message).get(2, TimeUnit.MINUTES).offset();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
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

    @Override
    public void close() {
        producer.close();
        super.close();
        broker.destroy();
    }
}
