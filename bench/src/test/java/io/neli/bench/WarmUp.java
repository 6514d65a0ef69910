package io.neli.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.api.StreamConfiguration;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Cluster;
import io.neli.cluster.ServerProcess;
import io.neli.nats.NatsServers;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records and reads each one back before anything is measured, so that the server has executed its code before.
 * A server in production has done so for weeks.
 */
final class WarmUp {

    private static final int ROUND_TRIPS = 5_000;
    private static final int TIMED = 500;
    private static final int RECORDS_ON_NATS = 2_000;

    private WarmUp() {}

    /** Returns how long writing and reading back a record takes afterwards, to compare the figures with. */
    static Duration run(ServerProcess servers) {
        return servers instanceof BrokerProcess ? onKafka(servers) : onNats(servers);
    }

    /** The mean of the last round trips. */
    private static Duration onKafka(ServerProcess broker) {
        TopicPartition partition = new TopicPartition("warm-up-" + UUID.randomUUID(), 0);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.address(), "linger.ms", 0),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.address(), "auto.offset.reset", "earliest"),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            producer.partitionsFor(partition.topic());
            consumer.assign(List.of(partition));
            long start = System.nanoTime();
            for (int trip = 0; trip < ROUND_TRIPS; trip++) {
                if (trip == ROUND_TRIPS - TIMED) {
                    start = System.nanoTime();
                }
                producer.send(
                        new ProducerRecord<>(partition.topic(), 0, null, new byte[100]), (metadata, failure) -> {});
                Await.until("the record", Cluster.LIMIT, () -> !consumer.poll(Duration.ofSeconds(1))
                        .isEmpty());
            }
            return Duration.ofNanos((System.nanoTime() - start) / TIMED);
        }
    }

    /** The shortest round trip. */
    private static Duration onNats(ServerProcess servers) {
        long shortest = Long.MAX_VALUE;
        Connection connection = NatsServers.connect(servers.address());
        try {
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name("warm-up")
                            .subjects("warm-up")
                            .build());
            JetStreamSubscription reader = connection.jetStream().subscribe("warm-up");
            for (int records = 0; records < RECORDS_ON_NATS; records++) {
                long begun = System.nanoTime();
                connection.jetStream().publish("warm-up", new byte[200]);
                Message read = reader.nextMessage(Duration.ofSeconds(10));
                shortest = Math.min(shortest, System.nanoTime() - begun);
                read.ack();
            }
            return Duration.ofNanos(shortest);
        } catch (IOException | JetStreamApiException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            NatsServers.close(connection);
        }
    }
}
