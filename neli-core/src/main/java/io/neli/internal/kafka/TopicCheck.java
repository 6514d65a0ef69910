package io.neli.internal.kafka;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses a leader topic that the election could not rely on, and warns of one that is less than safe. Thread-safe. */
final class TopicCheck {

    private static final Logger log = LoggerFactory.getLogger(TopicCheck.class);

    private static final long SHORTEST_RETENTION_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final KafkaSettings settings;
    private final Set<String> warned = ConcurrentHashMap.newKeySet(); // a search that was given up may still end

    TopicCheck(KafkaSettings settings) {
        this.settings = settings;
    }

    /**
     * Checks one topic.
     *
     * @param config null if this member may not read it
     * @throws UnusableLogException what has to be changed
     */
    void check(int number, TopicDescription topic, @Nullable Config config) {
        if (config != null) {
            checkConfig(number, topic, config);
        } else if (settings.shell().quorum() > 1) {
            warn(
                    topic,
                    "flush.messages",
                    "not known",
                    "grant DESCRIBE_CONFIGS, or make sure that it is 1 and that retention.ms is -1");
        }
    }

    private void checkConfig(int number, TopicDescription topic, Config config) {
        String cleanup = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": its cleanup.policy is '" + cleanup
                            + "', which deletes claims that are still needed",
                    "set cleanup.policy=delete");
        }
        if (Boolean.parseBoolean(value(config, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG))) {
            warn(
                    topic,
                    "unclean.leader.election.enable",
                    "true",
                    "records can be lost, and with them who leads; set it to false");
        }
        if (settings.shell().quorum() > 1) {
            checkQuorum(number, config);
        }
        long retention = number(value(config, TopicConfig.RETENTION_MS_CONFIG));
        if (retention >= 0 && retention < SHORTEST_RETENTION_MILLIS) {
            warn(
                    topic,
                    "retention.ms",
                    Long.toString(retention),
                    "records must outlast every lease; set it to an hour or more");
        }
        int replicas = topic.partitions().get(0).replicas().size();
        long inSync = number(value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
        if (settings.shell().quorum() > 1 && inSync > replicas && inSync < Long.MAX_VALUE) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": its min.insync.replicas is '" + inSync + "' and it has " + replicas
                            + " replica(s), so nothing can be written",
                    "set min.insync.replicas=1");
        }
        if (replicas >= KafkaSettings.SAFE_REPLICATION && inSync < 2) {
            warn(topic, "min.insync.replicas", "1", "a record can be lost with one broker; set it to 2");
        }
    }

    /** Not repaired here: a topic that was named by mistake would keep its records for ever. */
    private void checkQuorum(int number, Config config) {
        checkQuorum(
                number,
                config,
                TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG,
                each -> each == 1,
                "what was read can be lost");
        checkQuorum(
                number,
                config,
                TopicConfig.RETENTION_MS_CONFIG,
                each -> each == -1,
                "all records of a log can be deleted");
        checkQuorum(
                number,
                config,
                TopicConfig.RETENTION_BYTES_CONFIG,
                each -> each == -1 || each >= KafkaSettings.QUORUM_RETENTION_BYTES,
                "records that are needed can be deleted");
    }

    private void checkQuorum(int number, Config config, String setting, LongPredicate suffices, String otherwise) {
        String value = value(config, setting);
        if (!suffices.test(number(value))) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": its " + setting + " is '" + value + "', and neli.quorum is '"
                            + settings.shell().quorum() + "', so " + otherwise,
                    settings.changeTopics(KafkaSettings.QUORUM_TOPIC));
        }
    }

    private void warn(TopicDescription topic, String setting, String value, String advice) {
        if (warned.add(topic.name() + " " + setting)) { // not again at each connection
            log.warn("Topic {}: {} is '{}': {}", topic.name(), setting, value, advice);
        }
    }

    private static String value(Config config, String name) {
        return Optional.ofNullable(config.get(name)).map(entry -> entry.value()).orElse("");
    }

    private static long number(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
