package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Map;

import io.neli.internal.election.ElectionSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the shell is configured with, the same for every start of a member; checked by its caller.
 *
 * @param client client properties of the application
 * @param name the member's name, for people
 * @param groupId the contending group, and the key of its records
 * @param topic the leader topic
 * @param candidate whether the member may lead
 * @param priority eligible members of the highest priority are assigned the partitions
 * @param createTopic whether a missing topic is created
 * @param replicationFactor of a topic that is created; null for three, or the number of brokers if that is less
 * @param retention of a topic that is created
 * @param election the constants of the rules
 */
public record KafkaSettings(
        Map<String, Object> client,
        String name,
        String groupId,
        String topic,
        boolean candidate,
        int priority,
        boolean createTopic,
        @Nullable Integer replicationFactor,
        Duration retention,
        ElectionSettings election) {

    /** Kafka's consumer group; never the name that an application's own consumers usually have. */
    String consumerGroup() {
        return groupId + ".neli";
    }

    int partitions() {
        return election.groupConfig().partitions();
    }

    /** What the clients have to connect to first. */
    Object bootstrapServers() {
        return String.valueOf(client.get("bootstrap.servers"));
    }
}
