package io.neli.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.kafka.test.EmbeddedKafkaBroker;

import static org.awaitility.Awaitility.await;

/** What a topic holds for those who read committed records only. */
final class Committed {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Committed() {}

    /** Reads up to the end of the first partition: also what is not yet decided there has been by then. */
    static List<String> values(EmbeddedKafkaBroker broker, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        long end = end(broker, partition);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer(broker, "read_committed")) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            await().atMost(PATIENCE).pollInSameThread().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return consumer.position(partition) >= end;
            });
        }
        return values;
    }

    private static long end(EmbeddedKafkaBroker broker, TopicPartition partition) {
        try (KafkaConsumer<String, String> consumer = consumer(broker, "read_uncommitted")) {
            return consumer.endOffsets(List.of(partition)).get(partition);
        }
    }

    private static KafkaConsumer<String, String> consumer(EmbeddedKafkaBroker broker, String isolation) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.getBrokersAsString(),
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
