package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * What the shell is configured with on Kafka, the same for every start of a member; checked by its caller.
 *
 * @param client client properties of the application
 * @param shell what is the same on any servers; where a partition lies on several logs, its topic is that of the first
 *     ones
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

    /** How long the group counts on a member that has died. */
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);

    /** With so many replicas a topic needs two in sync, and one broker can be away. */
    static final int SAFE_REPLICATION = 3;

    /** What is kept of each log of a quorum: some 18 hours of heartbeats at the default interval. */
    static final long QUORUM_RETENTION_BYTES = 64 << 20;

    /**
     * What the topics of a quorum need. The broker writes each record to its disk before anybody can read it, because a
     * log that loses what was read would still count for a majority. No record is deleted by age: after a stop of the
     * members that was longer, one log might be empty and another not.
     */
    static final Map<String, String> QUORUM_TOPIC = Map.of(
            TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG,
            "1",
            TopicConfig.RETENTION_MS_CONFIG,
            "-1",
            TopicConfig.RETENTION_BYTES_CONFIG,
            Long.toString(QUORUM_RETENTION_BYTES),
            TopicConfig.SEGMENT_BYTES_CONFIG,
            Long.toString(QUORUM_RETENTION_BYTES / 8));

    /** Kafka's consumer group; never the name that an application's own consumers usually have. */
    String consumerGroup() {
        return shell.groupId() + ".neli";
    }

    /** Of the logs of each partition. */
    List<Integer> numbers() {
        return IntStream.range(0, shell.quorum()).boxed().toList();
    }

    /** The command that gives all topics these settings: if one lacks them, the others usually do, too. */
    String changeTopics(Map<String, String> config) {
        return "for topic in " + String.join(" ", shell.topics()) + "; do kafka-configs.sh --bootstrap-server "
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

    /** For messages: the property and its value. */
    String namedQuorum() {
        return "neli.quorum is '" + shell.quorum() + "'";
    }

    /** What the clients have to connect to first. */
    String bootstrapServers() {
        return String.valueOf(client.get("bootstrap.servers"));
    }

    /** Without the client's properties, which may have passwords. */
    @Override
    public String toString() {
        return "KafkaSettings[bootstrapServers=" + bootstrapServers() + ", shell=" + shell + ", createTopic="
                + createTopic + ", replicationFactor=" + replicationFactor + ", retention=" + retention + "]";
    }
}
