package io.neli.kafka;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the leader topic, creates it where it is missing, and refuses one that the election could not rely on. */
final class LeaderTopic {

    private static final Logger log = LoggerFactory.getLogger(LeaderTopic.class);

    private static final long ANSWER_SECONDS = 6;
    private static final long SHORTEST_RETENTION_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final int SAFE_REPLICATION = 3;
    private static final int APPEARANCE_TRIES = 100;
    private static final long APPEARANCE_PAUSE_MILLIS = 20;

    private final MemberSettings settings;
    private final Set<String> warned = new HashSet<>();

    LeaderTopic(MemberSettings settings) {
        this.settings = settings;
    }

    /**
     * Makes sure that the topic is there and fit for use.
     *
     * @return its id; another id is another topic
     * @throws UnusableException if the setting it names has to be changed first
     */
    Uuid ensure(Admin admin) throws InterruptedException {
        Optional<TopicDescription> found = describe(admin);
        if (found.isEmpty()) {
            Optional<Uuid> created = create(admin);
            if (created.isPresent()) {
                return created.get(); // as it should be
            }
            found = Optional.of(awaitAppearance(admin));
        }
        checkPartitions(found.get());
        checkConfig(admin, found.get());
        return found.get().topicId();
    }

    /** Asks for the id of the topic as it is now; fails with UnknownTopicOrPartitionException if it is gone. */
    KafkaFuture<Uuid> id(Admin admin) {
        return description(admin).thenApply(TopicDescription::topicId);
    }

    private KafkaFuture<TopicDescription> description(Admin admin) {
        return Objects.requireNonNull(
                admin.describeTopics(List.of(settings.topic()))
                        .topicNameValues()
                        .get(settings.topic()),
                "not asked for");
    }

    private Optional<TopicDescription> describe(Admin admin) throws InterruptedException {
        try {
            return Optional.of(answer(description(admin)));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (AuthorizationException e) {
            throw new UnusableException(
                    "neli.topic is '" + settings.topic()
                            + "': not allowed to describe it; grant READ, WRITE and DESCRIBE"
                            + " on the topic to this application's principal",
                    e);
        }
    }

    /** Returns the new topic's id; empty if another member has been quicker. */
    private Optional<Uuid> create(Admin admin) throws InterruptedException {
        if (!settings.topicCreation().enabled()) {
            throw new UnusableException(
                    "neli.topic is '" + settings.topic()
                            + "': there is no such topic, and neli.topic-creation.enabled is"
                            + " 'false'; create it with " + settings.partitions()
                            + " partition(s), or allow its creation",
                    null);
        }
        int brokers = answer(admin.describeCluster().nodes()).size();
        int replication = Optional.ofNullable(settings.topicCreation().replicationFactor())
                .orElse(Math.min(SAFE_REPLICATION, brokers));
        try {
            Uuid id = answer(admin.createTopics(
                            List.of(new NewTopic(settings.topic(), settings.partitions(), (short) replication)
                                    .configs(topicConfig(replication))))
                    .topicId(settings.topic()));
            log.info("Created the leader topic {} with replication factor {}", settings.topic(), replication);
            return Optional.of(id);
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", settings.topic());
            return Optional.empty();
        } catch (AuthorizationException e) {
            throw new UnusableException(
                    "neli.topic is '" + settings.topic() + "': there is no such topic, and no right to create it; grant"
                            + " CREATE on the topic, or create it with " + settings.partitions()
                            + " partition(s) beforehand",
                    e);
        } catch (InvalidReplicationFactorException e) {
            throw new UnusableException(
                    "neli.topic-creation.replication-factor is '" + replication + "': the cluster has " + brokers
                            + " broker(s); lower it or leave it out",
                    e);
        }
    }

    private TopicDescription awaitAppearance(Admin admin) throws InterruptedException {
        for (int tries = 0; tries < APPEARANCE_TRIES; tries++) {
            Optional<TopicDescription> topic = describe(admin);
            if (topic.isPresent()) {
                return topic.get();
            }
            Thread.sleep(APPEARANCE_PAUSE_MILLIS);
        }
        throw new UnusableException(
                "neli.topic is '" + settings.topic() + "': it was created but has not appeared; see the broker's log",
                null);
    }

    private Map<String, String> topicConfig(int replication) {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(
                TopicConfig.RETENTION_MS_CONFIG,
                Long.toString(settings.topicCreation().retention().toMillis()));
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        config.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        if (replication >= SAFE_REPLICATION) {
            config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2");
        }
        return config;
    }

    private void checkPartitions(TopicDescription topic) {
        int width = topic.partitions().size();
        if (width < settings.partitions()) {
            throw new UnusableException(
                    "neli.partitions is '" + settings.partitions() + "': the topic " + settings.topic() + " has only "
                            + width + "; add partitions to the topic, or lower the setting on every member",
                    null);
        }
    }

    private void checkConfig(Admin admin, TopicDescription topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
        Config config;
        try {
            config = answer(admin.describeConfigs(List.of(resource)).values().get(resource));
        } catch (AuthorizationException e) {
            log.debug("Not allowed to read the configuration of {}: it is not checked", settings.topic());
            return;
        }
        String cleanup = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new UnusableException(
                    "neli.topic is '" + settings.topic() + "': its cleanup.policy is '" + cleanup
                            + "', which deletes claims that are still needed; set cleanup.policy=delete",
                    null);
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
        if (replicas >= SAFE_REPLICATION && number(value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)) < 2) {
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

    /** Waits with a limit, and throws what Kafka has thrown. */
    private static <T> T answer(@Nullable KafkaFuture<T> future) throws InterruptedException {
        try {
            return Objects.requireNonNull(future, "not asked for").get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException("no answer within " + ANSWER_SECONDS + " s", e);
        }
    }

    /** The topic cannot be used as it is; the message names the setting, its value and the fix. */
    static final class UnusableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnusableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
