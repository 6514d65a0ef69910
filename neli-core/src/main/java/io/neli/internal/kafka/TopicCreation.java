package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.neli.internal.shell.Problem;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics, and adds partitions to those that have too few: a single topic with replicas, several ones with one replica each,
 * on brokers of their own.
 */
final class TopicCreation {

    private static final Logger log = LoggerFactory.getLogger(TopicCreation.class);

    static final int SAFE_REPLICATION = 3;

    /** Kafka deletes whole segments: with the broker's default of a week, a retention of one day would keep eight days. */
    private static final Duration SEGMENT = Duration.ofHours(1);

    /** What is kept of each log of a quorum: some 18 hours of heartbeats at the default interval. */
    static final long QUORUM_RETENTION_BYTES = 64 << 20;

    /**
     * What the topics of a quorum need. The broker writes each record to its disk before anybody can read it, as a log that loses
     * what was read would still count for a majority. No record is deleted by age: after a stop of the members that was longer, one
     * log might be empty and another not.
     */
    static final Map<String, String> QUORUM = Map.of(
            TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG,
            "1",
            TopicConfig.RETENTION_MS_CONFIG,
            "-1",
            TopicConfig.RETENTION_BYTES_CONFIG,
            Long.toString(QUORUM_RETENTION_BYTES),
            TopicConfig.SEGMENT_BYTES_CONFIG,
            Long.toString(QUORUM_RETENTION_BYTES / 8));

    private final KafkaSettings settings;
    private final BooleanSupplier mayLead;
    private final Rights rights;

    /** An observer creates nothing: it may know fewer roles than the members that lead. */
    TopicCreation(KafkaSettings settings, BooleanSupplier mayLead) {
        this.settings = settings;
        this.mayLead = mayLead;
        this.rights = new Rights(settings);
    }

    /**
     * Creates the topic; that it exists by now is no failure.
     *
     * @param existing the brokers of the other logs' topics, by partition
     */
    void create(Admin admin, int number, Map<Integer, Map<Integer, Set<Integer>>> existing)
            throws InterruptedException {
        if (!settings.createTopic()) {
            throw new UnusableTopicException(
                    settings.namedTopic(number) + ": there is no such topic, and neli.topic.create is 'false'",
                    "create it with " + settings.shell().partitions() + " partition(s)"
                            + (settings.shell().quorum() > 1
                                    ? ", with one replica on a broker that no other log uses"
                                    : "")
                            + ", or allow its creation");
        }
        if (!mayLead.getAsBoolean()) {
            throw new UnusableTopicException(
                    new Problem(
                            settings.namedTopic(number)
                                    + ": there is no such topic yet, and an observer (neli.candidate is 'false')"
                                    + " creates none",
                            "start a member that may lead, which creates it",
                            true),
                    null);
        }
        Collection<Node> brokers = Answers.of(admin.describeCluster().nodes());
        NewTopic topic = settings.shell().quorum() > 1
                ? new NewTopic(settings.shell().topic(number), placement(number, brokers, existing.values()))
                        .configs(config("1"))
                : replicated(brokers.size());
        try {
            Answers.of(admin.createTopics(List.of(topic)).all());
            log.info("Created the leader topic {} {}", topic.name(), where(topic));
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", topic.name());
        } catch (AuthorizationException e) {
            throw new UnusableTopicException(rights.missingCreate(number), e);
        } catch (InvalidConfigurationException | PolicyViolationException | InvalidReplicaAssignmentException e) {
            throw refused(topic, brokers.size(), e);
        }
    }

    private static String where(NewTopic topic) {
        return topic.replicasAssignments() == null
                ? "with replication factor " + topic.replicationFactor()
                : "on brokers (by partition) " + topic.replicasAssignments();
    }

    private NewTopic replicated(int brokers) {
        int replication = Optional.ofNullable(settings.replicationFactor()).orElse(Math.min(SAFE_REPLICATION, brokers));
        return new NewTopic(settings.shell().topic(), settings.shell().partitions(), (short) replication)
                .configs(config(replication >= SAFE_REPLICATION ? "2" : null));
    }

    /** Whether it adds partitions to a topic that has too few. */
    boolean widens() {
        return settings.createTopic() && mayLead.getAsBoolean();
    }

    /**
     * Adds the partitions that the topic lacks; that another member has done so by now is no failure.
     *
     * @param existing the brokers of the other logs' topics, by partition
     */
    void widen(Admin admin, int number, int width, Collection<Map<Integer, Set<Integer>>> existing)
            throws InterruptedException {
        String topic = settings.shell().topic(number);
        int wanted = settings.shell().partitions();
        NewPartitions added = NewPartitions.increaseTo(wanted);
        if (settings.shell().quorum() > 1) {
            Collection<Node> brokers = Answers.of(admin.describeCluster().nodes());
            added = NewPartitions.increaseTo(
                    wanted,
                    placement(number, brokers, existing).entrySet().stream()
                            .filter(partition -> partition.getKey() >= width)
                            .map(Map.Entry::getValue)
                            .toList());
        }
        try {
            Answers.of(admin.createPartitions(Map.of(topic, added)).all());
            log.info("The leader topic {} has {} partitions now, and had {}", topic, wanted, width);
        } catch (InvalidPartitionsException e) {
            log.debug("Another member has added partitions to {}", topic, e);
        } catch (AuthorizationException e) {
            throw new UnusableTopicException(rights.missingAlter(number, width), e);
        }
    }

    private Map<Integer, List<Integer>> placement(
            int number, Collection<Node> brokers, Collection<Map<Integer, Set<Integer>>> existing) {
        List<LogPlacement.Broker> live = brokers.stream()
                .map(broker -> new LogPlacement.Broker(broker.id(), broker.rack()))
                .toList();
        return Optional.of(live)
                .filter(enough -> enough.size() >= settings.shell().quorum())
                .flatMap(enough -> LogPlacement.choose(number, settings.shell().partitions(), enough, existing))
                .orElseThrow(() -> tooFew(number, live));
    }

    private UnusableTopicException tooFew(int number, List<LogPlacement.Broker> live) {
        List<Integer> ids = live.stream().map(LogPlacement.Broker::id).sorted().toList();
        return new UnusableTopicException(
                new Problem(
                        quorum() + ": the topic '" + settings.shell().topic(number)
                                + "' cannot be created, as the brokers that"
                                + " run are " + ids
                                + ", and each log of a partition needs a broker that no other log uses",
                        "start " + settings.shell().quorum()
                                + " brokers or more, or set neli.quorum to 1 on every member",
                        true),
                null);
    }

    private Map<String, String> config(@Nullable String inSync) {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        if (settings.shell().quorum() > 1) {
            config.putAll(QUORUM);
        } else {
            config.put(
                    TopicConfig.RETENTION_MS_CONFIG,
                    Long.toString(settings.retention().toMillis()));
            config.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(SEGMENT.toMillis()));
        }
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        config.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        if (inSync != null) {
            config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, inSync);
        }
        return config;
    }

    private RuntimeException refused(NewTopic topic, int brokers, RuntimeException why) {
        if (settings.shell().quorum() == 1) {
            return why instanceof InvalidReplicationFactorException
                    ? new UnusableTopicException(
                            "neli.topic.replication-factor is '" + topic.replicationFactor() + "': the cluster has "
                                    + brokers + " broker(s)",
                            "lower it or leave it out")
                    : why;
        }
        if (why instanceof InvalidReplicaAssignmentException) {
            return new UnusableTopicException(
                    new Problem(
                            quorum() + ": the topic '" + topic.name() + "' cannot be created where its logs should be: "
                                    + why.getMessage(),
                            "it is tried again; check that the brokers run",
                            true),
                    why);
        }
        return new UnusableTopicException(
                new Problem(
                        quorum() + ": the cluster refuses the topic '" + topic.name()
                                + "', which has a single replica and flush.messages=1: " + why.getMessage(),
                        "have such topics allowed, or set neli.quorum to 1 on every member, and neli.lease-duration to"
                                + " more than the brokers need to notice that one of them has crashed, such as 15s",
                        false),
                why);
    }

    /** For a topic that cannot be used next to another. */
    UnusableTopicException ofSingleLog() {
        return new UnusableTopicException(
                quorum() + ": the topic '" + settings.shell().topic(0)
                        + "' has several replicas, as it has where neli.quorum is 1, and members may lead by it alone",
                "stop all members, delete the topic, and start them with the same neli.quorum");
    }

    UnusableTopicException sharing(int number, LogPlacement.Shared shared) {
        int other = shared.log() == number ? shared.other() : shared.log();
        return new UnusableTopicException(
                new Problem(
                        quorum() + ": partition " + shared.partition() + " of the topics '"
                                + settings.shell().topic(other)
                                + "' and '" + settings.shell().topic(number) + "' is on the same broker, "
                                + shared.broker()
                                + ", so '" + settings.shell().topic(number) + "' is not used",
                        "move it to another broker (kafka-reassign-partitions.sh), or delete '"
                                + settings.shell().topic(number) + "', which is then created where it belongs",
                        true),
                null);
    }

    private String quorum() {
        return "neli.quorum is '" + settings.shell().quorum() + "'";
    }
}
