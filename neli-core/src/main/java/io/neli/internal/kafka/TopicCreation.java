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
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.TopicConfig;
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

    /** Kafka deletes whole segments: with the broker's default of a week, a retention of one day would keep eight days. */
    private static final Duration SEGMENT = Duration.ofHours(1);

    private final KafkaSettings settings;
    private final BooleanSupplier mayLead;

    /** An observer creates nothing: it may know fewer roles than the members that lead. */
    TopicCreation(KafkaSettings settings, BooleanSupplier mayLead) {
        this.settings = settings;
        this.mayLead = mayLead;
    }

    /**
     * Creates the topic; that it exists by now is no failure.
     *
     * @param others the brokers of the other logs' topics, by partition
     * @throws org.apache.kafka.common.errors.AuthorizationException if that is not allowed
     */
    void create(Admin admin, int number, Collection<Map<Integer, Set<Integer>>> others) throws InterruptedException {
        if (!settings.createTopic()) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": there is no such topic, and neli.topic.create is 'false'",
                    "create it with " + settings.shell().partitions() + " partition(s)"
                            + (settings.shell().quorum() > 1
                                    ? ", with one replica on a broker that no other log uses"
                                    : "")
                            + ", or allow its creation");
        }
        if (!mayLead.getAsBoolean()) {
            throw new UnusableLogException(
                    new Problem(
                            settings.namedTopic(number)
                                    + ": there is no such topic yet, and an observer (neli.candidate is 'false')"
                                    + " creates none",
                            "start a member that may lead, which creates it",
                            true),
                    null);
        }
        Collection<Node> brokers = KafkaClients.answer(admin.describeCluster().nodes());
        NewTopic topic = settings.shell().quorum() > 1
                ? new NewTopic(settings.shell().topic(number), placement(number, brokers, others)).configs(config("1"))
                : replicated(brokers.size());
        try {
            KafkaClients.answer(admin.createTopics(List.of(topic)).all());
            log.info("Created the leader topic {} {}", topic.name(), where(topic));
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", topic.name());
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
        int replication = Optional.ofNullable(settings.replicationFactor())
                .orElse(Math.min(KafkaSettings.SAFE_REPLICATION, brokers));
        return new NewTopic(settings.shell().topic(), settings.shell().partitions(), (short) replication)
                .configs(config(replication >= KafkaSettings.SAFE_REPLICATION ? "2" : null));
    }

    /** Whether it adds partitions to a topic that has too few. */
    boolean widens() {
        return settings.createTopic() && mayLead.getAsBoolean();
    }

    /**
     * Adds the partitions that the topic lacks; that another member has done so by now is no failure.
     *
     * @param others the brokers of the other logs' topics, by partition
     * @throws org.apache.kafka.common.errors.AuthorizationException if that is not allowed
     */
    void widen(Admin admin, int number, int width, Collection<Map<Integer, Set<Integer>>> others)
            throws InterruptedException {
        String topic = settings.shell().topic(number);
        int wanted = settings.shell().partitions();
        NewPartitions added = NewPartitions.increaseTo(wanted);
        if (settings.shell().quorum() > 1) {
            Collection<Node> brokers =
                    KafkaClients.answer(admin.describeCluster().nodes());
            added = NewPartitions.increaseTo(
                    wanted,
                    placement(number, brokers, others).entrySet().stream()
                            .filter(partition -> partition.getKey() >= width)
                            .map(Map.Entry::getValue)
                            .toList());
        }
        try {
            KafkaClients.answer(admin.createPartitions(Map.of(topic, added)).all());
            log.info("The leader topic {} has {} partitions now, and had {}", topic, wanted, width);
        } catch (InvalidPartitionsException e) {
            log.debug("Another member has added partitions to {}", topic, e);
        }
    }

    private Map<Integer, List<Integer>> placement(
            int number, Collection<Node> live, Collection<Map<Integer, Set<Integer>>> others) {
        return Optional.of(live)
                .filter(brokers -> brokers.size() >= settings.shell().quorum())
                .flatMap(brokers -> LogPlacement.choose(number, settings.shell().partitions(), brokers, others))
                .orElseThrow(() -> tooFew(number, live));
    }

    private UnusableLogException tooFew(int number, Collection<Node> live) {
        List<Integer> ids = live.stream().map(Node::id).sorted().toList();
        return new UnusableLogException(
                new Problem(
                        settings.namedQuorum() + ": the topic '"
                                + settings.shell().topic(number)
                                + "' cannot be created, because the brokers that"
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
            config.putAll(KafkaSettings.QUORUM_TOPIC);
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
                    ? new UnusableLogException(
                            "neli.topic.replication-factor is '" + topic.replicationFactor() + "': the cluster has "
                                    + brokers + " broker(s)",
                            "lower it or leave it out")
                    : why;
        }
        if (why instanceof InvalidReplicaAssignmentException) {
            return new UnusableLogException(
                    new Problem(
                            settings.namedQuorum() + ": the topic '" + topic.name()
                                    + "' cannot be created where its logs should be: " + why.getMessage(),
                            "it is tried again; check that the brokers run",
                            true),
                    why);
        }
        return new UnusableLogException(
                new Problem(
                        settings.namedQuorum() + ": the cluster refuses the topic '" + topic.name()
                                + "', which has a single replica and flush.messages=1: " + why.getMessage(),
                        "have such topics allowed, or set neli.quorum to 1 on every member, and neli.lease-duration to"
                                + " more than the brokers need to notice that one of them has crashed, such as 15s",
                        false),
                why);
    }
}
