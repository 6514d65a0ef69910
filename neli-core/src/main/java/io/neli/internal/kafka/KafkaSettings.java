package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.LogId;
import org.jspecify.annotations.Nullable;

/**
 * What the shell is configured with, the same for every start of a member; checked by its caller.
 *
 * @param client client properties of the application
 * @param name the member's name, for people
 * @param groupId the contending group, and the key of its records
 * @param topic the leader topic; where a partition lies on several logs, the topic of the first ones
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

    /** The topic of one of the logs; the first one has the name that a single log has. */
    public static String topic(String first, int log) {
        return log == 0 ? first : first + "." + log;
    }

    int partitions() {
        return election.groupConfig().partitions();
    }

    /** On how many logs each partition lies. */
    int quorum() {
        return election.groupConfig().quorum();
    }

    /** How many of its logs a partition needs. */
    int majority() {
        return election.groupConfig().majority();
    }

    /** The topic that holds the log of this number of each partition. */
    String topic(int log) {
        return topic(topic, log);
    }

    List<String> topics() {
        return IntStream.range(0, quorum()).mapToObj(this::topic).toList();
    }

    /** For messages: the property, its value, and the topic where that does not name it. */
    String namedTopic(int log) {
        return "neli.topic.name is '" + topic + "'" + (log == 0 ? "" : " (log topic '" + topic(log) + "')");
    }

    /** The logs of one topic. */
    List<LogId> logsOf(int log) {
        return IntStream.range(0, partitions())
                .mapToObj(partition -> new LogId(partition, log))
                .toList();
    }

    List<LogId> logs() {
        return IntStream.range(0, quorum())
                .boxed()
                .flatMap(log -> logsOf(log).stream())
                .toList();
    }

    /** What the clients have to connect to first. */
    Object bootstrapServers() {
        return String.valueOf(client.get("bootstrap.servers"));
    }
}
