package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the leader topic, creates it if it is missing, and refuses one that the election could not rely on. */
final class LeaderTopic {

    private static final Logger log = LoggerFactory.getLogger(LeaderTopic.class);

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(6);
    static final int SAFE_REPLICATION = 3;

    /** Kafka deletes whole segments: with the broker's default of a week, a retention of one day would keep eight days. */
    private static final Duration SEGMENT = Duration.ofHours(1);

    private static final int APPEARANCE_TRIES = 100;
    private static final long APPEARANCE_PAUSE_MILLIS = 20;

    private final KafkaSettings settings;
    private final Rights rights;
    private final TopicCheck check;

    LeaderTopic(KafkaSettings settings) {
        this.settings = settings;
        this.rights = new Rights(settings);
        this.check = new TopicCheck(settings);
    }

    /**
     * Makes sure that the topic exists and can be used.
     *
     * @return its id; a topic that is created again has another id
     * @throws UnusableException if a setting has to be changed or a right granted first
     */
    Uuid ensure(Admin admin) throws InterruptedException {
        Optional<TopicDescription> found = describe(admin);
        if (found.isEmpty()) {
            create(admin);
            found = Optional.of(awaitAppearance(admin));
        }
        TopicDescription topic = found.get();
        check.check(admin, topic);
        return topic.topicId();
    }

    /** Asks for the current id of the topic; fails with UnknownTopicOrPartitionException if there is none. */
    KafkaFuture<Uuid> id(Admin admin) {
        return description(admin, false).thenApply(TopicDescription::topicId);
    }

    private KafkaFuture<TopicDescription> description(Admin admin, boolean withRights) {
        return Objects.requireNonNull(
                admin.describeTopics(
                                List.of(settings.topic()),
                                new DescribeTopicsOptions().includeAuthorizedOperations(withRights))
                        .topicNameValues()
                        .get(settings.topic()),
                "not asked for");
    }

    private Optional<TopicDescription> describe(Admin admin) throws InterruptedException {
        try {
            return Optional.of(answer(description(admin, true)));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (AuthorizationException e) {
            throw new UnusableException(rights.missingDescribe(), e);
        }
    }

    private void create(Admin admin) throws InterruptedException {
        if (!settings.createTopic()) {
            throw new UnusableException(
                    name() + ": there is no such topic, and neli.topic.create is 'false'",
                    "create it with " + settings.partitions() + " partition(s), or allow its creation");
        }
        int brokers = answer(admin.describeCluster().nodes()).size();
        int replication = Optional.ofNullable(settings.replicationFactor()).orElse(Math.min(SAFE_REPLICATION, brokers));
        try {
            answer(admin.createTopics(List.of(new NewTopic(settings.topic(), settings.partitions(), (short) replication)
                            .configs(topicConfig(replication))))
                    .all());
            log.info("Created the leader topic {} with replication factor {}", settings.topic(), replication);
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", settings.topic());
        } catch (AuthorizationException e) {
            throw new UnusableException(rights.missingCreate(), e);
        } catch (InvalidReplicationFactorException e) {
            throw new UnusableException(
                    "neli.topic.replication-factor is '" + replication + "': the cluster has " + brokers + " broker(s)",
                    "lower it or leave it out");
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
        throw new UnusableException(name() + ": it was created but has not appeared", "see the broker's log");
    }

    private Map<String, String> topicConfig(int replication) {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(
                TopicConfig.RETENTION_MS_CONFIG,
                Long.toString(settings.retention().toMillis()));
        config.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(SEGMENT.toMillis()));
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        config.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        if (replication >= SAFE_REPLICATION) {
            config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2");
        }
        return config;
    }

    private String name() {
        return "neli.topic.name is '" + settings.topic() + "'";
    }

    /** Waits with a limit, and throws what Kafka has thrown. */
    static <T> T answer(@Nullable KafkaFuture<T> future) throws InterruptedException {
        return await(Objects.requireNonNull(future, "not asked for"), ANSWER_LIMIT);
    }

    /** Waits with a limit, and throws what the step has thrown. */
    static <T> T await(Future<T> future, Duration limit) throws InterruptedException {
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + limit.toSeconds() + " s", e);
        }
    }

    /** The topic cannot be used; the message names the setting, its value and the fix. */
    static final class UnusableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Problem problem;

        UnusableException(String what, String fix) {
            this(new Problem(what, fix, false), null);
        }

        UnusableException(Problem problem, @Nullable Throwable cause) {
            super(problem.text(), cause);
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }
}
