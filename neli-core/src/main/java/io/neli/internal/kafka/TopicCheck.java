package io.neli.internal.kafka;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses leader topics that the election cannot rely on, and warns about those that are less safe. Thread-safe. */
final class TopicCheck {

    private static final Logger log = LoggerFactory.getLogger(TopicCheck.class);

    private static final long SHORTEST_RETENTION_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final KafkaSettings settings;
    private final Set<String> warned = ConcurrentHashMap.newKeySet(); // an abandoned search may still be running

    TopicCheck(KafkaSettings settings) {
        this.settings = settings;
    }

    /**
     * @param config empty if this member may not read it
     * @throws UnusableLogException if the topic must be changed first
     */
    void check(int number, TopicDescription topic, Map<String, String> config) {
        if (topic.topicId().equals(Uuid.ZERO_UUID)) { // KIP-516
            String advice = "the brokers are older than Kafka 2.8, so a topic that replaces this one may go unnoticed";
            warn(topic, "id", "none", advice);
        }
        if (!config.isEmpty()) {
            checkThatRecordsAreKept(number, topic, config);
            checkReplicas(number, topic, config);
        } else if (settings.isQuorum()) {
            String advice = "grant DESCRIBE_CONFIGS, or make sure that it is 1 and that retention.ms is -1";
            warn(topic, TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, "not known", advice);
        }
    }

    private void checkThatRecordsAreKept(int number, TopicDescription topic, Map<String, String> config) {
        String cleanup = config.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": its cleanup.policy is '" + cleanup
                            + "', which deletes claims that are still needed",
                    "set cleanup.policy=delete");
        }
        String unclean = TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;
        if (Boolean.parseBoolean(config.get(unclean))) {
            warn(topic, unclean, "true", "records can be lost, and with them who leads; set it to false");
        }
        if (settings.isQuorum()) {
            checkQuorum(number, config);
        }
        long retention = longValue(config, TopicConfig.RETENTION_MS_CONFIG);
        if (retention >= 0 && retention < SHORTEST_RETENTION_MILLIS) {
            String advice = "records must outlast every lease; set it to an hour or more";
            warn(topic, TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention), advice);
        }
    }

    private void checkReplicas(int number, TopicDescription topic, Map<String, String> config) {
        int replicas = replicas(topic);
        long inSync = longValue(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        if (settings.isQuorum() && inSync > replicas && inSync < Long.MAX_VALUE) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": its min.insync.replicas is '" + inSync + "' and it has " + replicas
                            + " replica(s), so nothing can be written",
                    "set min.insync.replicas=1");
        }
        if (replicas >= KafkaSettings.SAFE_REPLICATION && inSync < 2) {
            String advice = "a record can be lost with one broker; set it to 2";
            warn(topic, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1", advice);
        }
    }

    /** Whether a topic of a single log has few replicas, perhaps because most brokers were down when it was created. */
    boolean hasFewReplicas(TopicDescription topic) {
        return !settings.isQuorum()
                && settings.replicationFactor() == null
                && replicas(topic) < KafkaSettings.SAFE_REPLICATION;
    }

    void warnOfReplicas(TopicDescription topic, int brokers) {
        if (replicas(topic) < brokers) {
            String advice = "nobody leads while these brokers are down; add replicas (kafka-reassign-partitions.sh), or"
                    + " set neli.topic.replication-factor if so few are wanted";
            warn(topic, "replication factor", Integer.toString(replicas(topic)), advice);
        }
    }

    private static int replicas(TopicDescription topic) {
        return topic.partitions().get(0).replicas().size();
    }

    /** Does not repair the settings: a topic that was named by mistake would then keep its records forever. */
    private void checkQuorum(int number, Map<String, String> config) {
        LongPredicate isEnough = bytes -> bytes == -1 || bytes >= KafkaSettings.QUORUM_RETENTION_BYTES;
        require(number, config, TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, n -> n == 1, "what was read can be lost");
        require(number, config, TopicConfig.RETENTION_MS_CONFIG, ms -> ms == -1, "all records of a log can be deleted");
        require(number, config, TopicConfig.RETENTION_BYTES_CONFIG, isEnough, "records that are needed can be deleted");
    }

    private void require(
            int number, Map<String, String> config, String setting, LongPredicate suffices, String otherwise) {
        if (!suffices.test(longValue(config, setting))) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": its " + setting + " is '" + config.getOrDefault(setting, "")
                            + "', and " + settings.namedQuorum() + ", so " + otherwise,
                    settings.changeTopics());
        }
    }

    private void warn(TopicDescription topic, String setting, String value, String advice) {
        if (warned.add(topic.name() + " " + setting)) { // once, not at each connection
            log.warn("Topic {}: {} is '{}': {}", topic.name(), setting, value, advice);
        }
    }

    private static long longValue(Map<String, String> config, String name) {
        try {
            return Long.parseLong(config.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Refuses a replicated first topic: members with one log may lead by it, while the others are a majority. */
    void refuseSingleLog(@Nullable TopicDescription first) {
        if (settings.isQuorum()
                && first != null
                && first.partitions().stream()
                        .anyMatch(partition -> partition.replicas().size() > 1)) {
            throw new UnusableLogException(
                    settings.namedQuorum() + ": the topic '"
                            + first.name()
                            + "' has several replicas, as with neli.quorum 1, and members may lead by it alone",
                    "if it is being moved to another broker, wait or cancel that (kafka-reassign-partitions.sh); if not, stop"
                            + " all members, delete the topic, and start them with the same neli.quorum");
        }
    }
}
