package io.neli.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records and reads each one back, so that what is measured afterwards is not the broker's first use of its own code: one
 * in production has had that for weeks.
 */
public final class BrokerWarmUp {

    private static final int ROUND_TRIPS = 5_000;
    private static final int TIMED = 500;

    private BrokerWarmUp() {}

    /** Returns the mean of the last round trips: what the figures are to be compared with. */
    public static Duration run(ServerProcess broker) {
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
}
