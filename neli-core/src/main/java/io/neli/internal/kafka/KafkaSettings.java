package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the shell is configured with on Kafka, the same for every start of a member; checked by its caller.
 *
 * @param client client properties of the application
 * @param shell what is the same on any servers; where a partition lies on several logs, its topic is that of the first ones
 * @param createTopic whether a missing topic is created
 * @param replicationFactor of a topic that is created; null for three, or the number of brokers if that is less
 * @param retention of a topic that is created where there is one log
 */
public record KafkaSettings(
        Map<String, Object> client,
        ShellSettings shell,
        boolean createTopic,
        @Nullable Integer replicationFactor,
        Duration retention) {

    /** Kafka's consumer group; never the name that an application's own consumers usually have. */
    String consumerGroup() {
        return shell.groupId() + ".neli";
    }

    List<String> topics() {
        return shell.topics();
    }

    /** What is wrong with a topic of that many partitions. */
    String tooFewPartitions(String topic, int width) {
        return "neli.partitions is '" + shell.partitions() + "' (by default the number of neli.roles): the topic "
                + topic + " has only " + width;
    }

    /** The command that gives a topic as many partitions as this member needs. */
    String addPartitions(String topic) {
        return "kafka-topics.sh --bootstrap-server " + bootstrapServers() + " --alter --topic " + topic
                + " --partitions " + shell.partitions();
    }

    /** The command that gives all topics these settings: if one lacks them, the others usually do, too. */
    String changeTopics(Map<String, String> config) {
        return "for topic in " + String.join(" ", topics()) + "; do kafka-configs.sh --bootstrap-server "
                + bootstrapServers() + " --alter --entity-type topics --entity-name $topic --add-config "
                + new TreeMap<>(config)
                        .entrySet().stream().map(Object::toString).collect(Collectors.joining(","))
                + "; done";
    }

    /** For messages: the property, its value, and the topic where that does not name it. */
    String namedTopic(int log) {
        return "neli.topic.name is '" + shell.topic() + "'"
                + (log == 0 ? "" : " (log topic '" + shell.topic(log) + "')");
    }

    /** What the clients have to connect to first. */
    Object bootstrapServers() {
        return String.valueOf(client.get("bootstrap.servers"));
    }

    /** Without the client's properties, which may have passwords. */
    @Override
    public String toString() {
        return "KafkaSettings[bootstrapServers=" + bootstrapServers() + ", shell=" + shell + ", createTopic="
                + createTopic + ", replicationFactor=" + replicationFactor + ", retention=" + retention + "]";
    }
}
