package io.neli.internal.kafka;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses a leader topic that the election could not rely on, and warns of one that is less than safe. */
final class TopicCheck {

    private static final Logger log = LoggerFactory.getLogger(TopicCheck.class);

    private static final long SHORTEST_RETENTION_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final KafkaSettings settings;
    private final Rights rights;
    private final Set<String> warned = new HashSet<>();

    TopicCheck(KafkaSettings settings) {
        this.settings = settings;
        this.rights = new Rights(settings);
    }

    void check(Admin admin, int number, TopicDescription topic) throws InterruptedException {
        checkRights(number, topic);
        checkPartitions(topic);
        checkConfig(admin, number, topic);
    }

    /** Checked here, as a standby would otherwise notice only when the leader has gone. */
    private void checkRights(int number, TopicDescription topic) {
        Set<AclOperation> granted = topic.authorizedOperations();
        if (granted == null || granted.isEmpty()) {
            return; // these brokers do not say
        }
        List<AclOperation> missing = rights.onTopic().stream()
                .filter(operation -> !granted.contains(operation))
                .toList();
        if (!missing.isEmpty()) {
            throw new UnusableTopicException(rights.missingOnTopic(number, missing), null);
        }
    }

    private void checkPartitions(TopicDescription topic) {
        int width = topic.partitions().size();
        if (width < settings.shell().partitions()) {
            throw new UnusableTopicException(
                    settings.tooFewPartitions(topic.name(), width),
                    "lower the setting on every member, or add partitions: " + settings.addPartitions(topic.name()));
        }
    }

    private void checkConfig(Admin admin, int number, TopicDescription topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        Config config;
        try {
            config =
                    Answers.of(admin.describeConfigs(List.of(resource)).values().get(resource));
        } catch (AuthorizationException e) {
            log.debug("Not allowed to read the configuration of {}: it is not checked", topic.name());
            if (settings.shell().quorum() > 1) {
                warn(
                        topic,
                        "flush.messages",
                        "not known",
                        "grant DESCRIBE_CONFIGS, or make sure that it is 1 and that retention.ms is -1");
            }
            return;
        }
        String cleanup = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new UnusableTopicException(
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
            throw new UnusableTopicException(
                    settings.namedTopic(number) + ": its min.insync.replicas is '" + inSync + "' and it has " + replicas
                            + " replica(s), so nothing can be written",
                    "set min.insync.replicas=1");
        }
        if (replicas >= TopicCreation.SAFE_REPLICATION && inSync < 2) {
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
                each -> each == -1 || each >= TopicCreation.QUORUM_RETENTION_BYTES,
                "records that are needed can be deleted");
    }

    private void checkQuorum(int number, Config config, String setting, LongPredicate suffices, String otherwise) {
        String value = value(config, setting);
        if (!suffices.test(number(value))) {
            throw new UnusableTopicException(
                    settings.namedTopic(number) + ": its " + setting + " is '" + value + "', and neli.quorum is '"
                            + settings.shell().quorum() + "', so " + otherwise,
                    settings.changeTopics(TopicCreation.QUORUM));
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
