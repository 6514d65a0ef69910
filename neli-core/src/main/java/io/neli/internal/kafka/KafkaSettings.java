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
 * A member's settings on Kafka, the same for each of its starts. The caller checks them.
 *
 * @param client the application's client properties
 * @param shell the settings that do not depend on Kafka; with a quorum, its topic holds the logs of number 0
 * @param createTopic whether this member creates a missing topic
 * @param replicationFactor of created topics; null for three, or the number of brokers if smaller. Always null with a
 *     quorum, whose leader topics have one replica
 * @param retention of a leader topic created without a quorum
 */
public record KafkaSettings(
        Map<String, Object> client,
        ShellSettings shell,
        boolean createTopic,
        @Nullable Integer replicationFactor,
        Duration retention) {

    /** How long the group keeps a member that has crashed. */
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);

    /** With this many replicas, a topic needs two in sync, and one broker may be down. */
    static final int SAFE_REPLICATION = 3;

    /** How much of each log of a quorum is kept: about 18 hours of heartbeats at the default interval. */
    static final long QUORUM_RETENTION_BYTES = 64 << 20;

    /**
     * The settings of a quorum's topics. The broker writes each record to disk before anybody can read it, because a
     * log that lost records after they were read would still count for a majority. No record is deleted by age: after
     * all members have stopped for longer than that age, one log might be empty and another not.
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

    /** The consumer group. Its suffix keeps it apart from the groups of the application's own consumers. */
    String consumerGroup() {
        return shell.groupId() + ".neli";
    }

    /** Whether each partition has several logs. */
    boolean isQuorum() {
        return shell.quorum() > 1;
    }

    /** The numbers of each partition's logs. */
    List<Integer> numbers() {
        return IntStream.range(0, shell.quorum()).boxed().toList();
    }

    /** The command that gives all topics of a quorum their settings: if one lacks them, the others usually do, too. */
    String changeTopics() {
        return "for topic in " + String.join(" ", shell.topics()) + "; do kafka-configs.sh --bootstrap-server "
                + bootstrapServers() + " --alter --entity-type topics --entity-name $topic --add-config "
                + new TreeMap<>(QUORUM_TOPIC)
                        .entrySet().stream().map(Object::toString).collect(Collectors.joining(","))
                + "; done";
    }

    /** For messages: the property, its value, and the log's topic if its name differs. */
    String namedTopic(int log) {
        return "neli.topic.name is '" + shell.topic() + "'"
                + (log == 0 ? "" : " (log topic '" + shell.topic(log) + "')");
    }

    /** For messages: the property and its value. */
    String namedQuorum() {
        return "neli.quorum is '" + shell.quorum() + "'";
    }

    String bootstrapServers() {
        return String.valueOf(client.get("bootstrap.servers"));
    }

    /** Leaves out the client properties, which may contain passwords. */
    @Override
    public String toString() {
        return "KafkaSettings[bootstrapServers=" + bootstrapServers() + ", shell=" + shell + ", createTopic="
                + createTopic + ", replicationFactor=" + replicationFactor + ", retention=" + retention + "]";
    }
}
