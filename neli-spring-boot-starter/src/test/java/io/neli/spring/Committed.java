package io.neli.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

import static org.awaitility.Awaitility.await;

/** The committed records of a topic. */
final class Committed {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Committed() {}

    /** Reads to the end of the first partition, past every open transaction. */
    static List<String> values(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        long end = end(partition);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer("read_committed")) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            await().atMost(PATIENCE).pollInSameThread().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return consumer.position(partition) >= end;
            });
        }
        return values;
    }

    private static long end(TopicPartition partition) {
        try (KafkaConsumer<String, String> consumer = consumer("read_uncommitted")) {
            return consumer.endOffsets(List.of(partition)).get(partition);
        }
    }

    private static KafkaConsumer<String, String> consumer(String isolation) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        SharedBroker.address(),
                        "group.id",
                        UUID.randomUUID().toString(),
                        "isolation.level",
                        isolation,
                        "enable.auto.commit",
                        "false"),
                new StringDeserializer(),
                new StringDeserializer());
    }
}
