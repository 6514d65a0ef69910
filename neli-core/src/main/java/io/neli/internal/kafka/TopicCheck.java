package io.neli.internal.kafka;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

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

    void check(Admin admin, TopicDescription topic) throws InterruptedException {
        checkRights(topic);
        checkPartitions(topic);
        checkConfig(admin, topic);
    }

    /** Checked here, as a standby would otherwise notice only when the leader has gone. */
    private void checkRights(TopicDescription topic) {
        Set<AclOperation> granted = topic.authorizedOperations();
        if (granted == null || granted.isEmpty()) {
            return; // these brokers do not say
        }
        List<AclOperation> missing = rights.onTopic().stream()
                .filter(operation -> !granted.contains(operation))
                .toList();
        if (!missing.isEmpty()) {
            throw new LeaderTopic.UnusableException(rights.missingOnTopic(missing), null);
        }
    }

    private void checkPartitions(TopicDescription topic) {
        int width = topic.partitions().size();
        if (width < settings.partitions()) {
            throw new LeaderTopic.UnusableException(
                    "neli.partitions is '" + settings.partitions() + "': the topic " + settings.topic() + " has only "
                            + width,
                    "add partitions to the topic, or lower the setting on every member");
        }
    }

    private void checkConfig(Admin admin, TopicDescription topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
        Config config;
        try {
            config = LeaderTopic.answer(
                    admin.describeConfigs(List.of(resource)).values().get(resource));
        } catch (AuthorizationException e) {
            log.debug("Not allowed to read the configuration of {}: it is not checked", settings.topic());
            return;
        }
        String cleanup = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new LeaderTopic.UnusableException(
                    "neli.topic.name is '" + settings.topic() + "': its cleanup.policy is '" + cleanup
                            + "', which deletes claims that are still needed",
                    "set cleanup.policy=delete");
        }
        if (Boolean.parseBoolean(value(config, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG))) {
            warn(
                    "unclean.leader.election.enable",
                    "true",
                    "records can be lost, and with them who leads; set it to false");
        }
        long retention = number(value(config, TopicConfig.RETENTION_MS_CONFIG));
        if (retention >= 0 && retention < SHORTEST_RETENTION_MILLIS) {
            warn(
                    "retention.ms",
                    Long.toString(retention),
                    "records must outlast every lease; set it to an hour or more");
        }
        int replicas = topic.partitions().get(0).replicas().size();
        if (replicas >= LeaderTopic.SAFE_REPLICATION
                && number(value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)) < 2) {
            warn("min.insync.replicas", "1", "a record can be lost with one broker; set it to 2");
        }
    }

    private void warn(String setting, String value, String advice) {
        if (warned.add(setting)) { // not again at each connection
            log.warn("Topic {}: {} is '{}': {}", settings.topic(), setting, value, advice);
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
