package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates leader topics, and adds partitions to those that have too few. A single topic is replicated. The topics of a
 * quorum have one replica each, and the logs of a partition are on different brokers.
 *
 * @param mayLead whether this member may lead; an observer creates nothing, because it may know fewer roles than the
 *     members that lead
 */
record TopicCreation(KafkaSettings settings, BooleanSupplier mayLead) {

    private static final Logger log = LoggerFactory.getLogger(TopicCreation.class);

    /**
     * Kafka deletes whole segments: with the broker's default of a week, a retention of one day would keep eight days.
     */
    private static final Duration SEGMENT = Duration.ofHours(1);

    /**
     * Creates the topic, unless another member has done so meanwhile.
     *
     * @param others the topics of the other logs
     * @throws AuthorizationException if this member may not create it
     */
    void create(Admin admin, int number, Collection<TopicDescription> others) throws InterruptedException {
        if (!settings.createTopic()) {
            throw new UnusableLogException(
                    settings.namedTopic(number) + ": there is no such topic, and neli.topic.create is 'false'",
                    "create it with " + settings.shell().partitions() + " partition(s)"
                            + (settings.isQuorum() ? ", with one replica on a broker that no other log uses" : "")
                            + ", or allow its creation");
        }
        if (!mayLead.getAsBoolean()) {
            throw UnusableLogException.passing(
                    settings.namedTopic(number) + ": there is no such topic yet, and an observer (neli.candidate is"
                            + " 'false') creates none",
                    "start a member that may lead, which creates it");
        }
        Collection<Node> brokers = AdminRequests.answer(admin.describeCluster().nodes());
        NewTopic topic = settings.isQuorum()
                ? new NewTopic(settings.shell().topic(number), placement(number, 0, brokers, others))
                        .configs(config("1"))
                : replicated(brokers.size());
        try {
            if (AdminRequests.create(admin, topic)) {
                log.info("Created the leader topic {} {}", topic.name(), where(topic));
            }
        } catch (AuthorizationException | AuthenticationException e) {
            throw e; // both are an InvalidConfigurationException, too
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

    /** Whether this member adds partitions to a topic that has too few. */
    boolean widens() {
        return settings.createTopic() && mayLead.getAsBoolean();
    }

    /**
     * Adds the partitions that the topic lacks, unless another member has done so meanwhile.
     *
     * @param found the topics of all logs
     * @throws AuthorizationException if this member may not add them
     */
    void widen(Admin admin, int number, int width, Collection<TopicDescription> found) throws InterruptedException {
        String topic = settings.shell().topic(number);
        int wanted = settings.shell().partitions();
        NewPartitions added = NewPartitions.increaseTo(wanted);
        if (settings.isQuorum()) {
            Collection<Node> brokers =
                    AdminRequests.answer(admin.describeCluster().nodes());
            added = NewPartitions.increaseTo(
                    wanted, List.copyOf(placement(number, width, brokers, found).values()));
        }
        try {
            AdminRequests.answer(admin.createPartitions(Map.of(topic, added)).all());
            log.info("The leader topic {} has {} partitions now, and had {}", topic, wanted, width);
        } catch (InvalidPartitionsException e) {
            log.debug("Another member has added partitions to {}", topic, e);
        }
    }

    /** The brokers of a partition, including those that are down. */
    static Set<Integer> brokers(TopicDescription topic, int partition) {
        return topic.partitions().stream()
                .filter(each -> each.partition() == partition)
                .flatMap(each -> each.replicas().stream().map(Node::id))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Chooses a broker for the log of each partition. No other log of the partition is on it, so that a failing broker
     * takes only one log with it; if possible, none is in its rack, and the broker has logs of this topic only. Then a
     * topic whose broker is gone can be deleted: the other partitions keep a majority of their logs.
     *
     * @param first the first partition that needs a broker
     * @param live the running brokers
     */
    Map<Integer, List<Integer>> placement(
            int number, int first, Collection<Node> live, Collection<TopicDescription> others) {
        List<Node> brokers =
                live.stream().sorted(Comparator.comparingInt(Node::id)).toList();
        int quorum = settings.shell().quorum();
        if (brokers.size() < quorum) {
            throw tooFew(number, brokers);
        }
        int spread = brokers.size() - brokers.size() % quorum; // the same number for each topic
        Set<Integer> foreign = others.stream()
                .filter(other -> !other.name().equals(settings.shell().topic(number)))
                .flatMap(other -> other.partitions().stream())
                .flatMap(each -> each.replicas().stream().map(Node::id))
                .collect(Collectors.toSet());
        Map<Integer, List<Integer>> chosen = new TreeMap<>();
        for (int partition = first; partition < settings.shell().partitions(); partition++) {
            int start = (partition * quorum + number) % spread;
            List<Node> inTurn = IntStream.range(0, brokers.size())
                    .mapToObj(step -> brokers.get((start + step) % brokers.size()))
                    .toList();
            Set<Integer> used = new HashSet<>();
            for (TopicDescription other : others) {
                used.addAll(brokers(other, partition));
            }
            Node next = choose(inTurn, used, foreign).orElseThrow(() -> tooFew(number, brokers));
            chosen.put(partition, List.of(next.id()));
        }
        return chosen;
    }

    /** The first broker that is not used, if possible in another rack and not foreign. */
    private static Optional<Node> choose(List<Node> brokers, Set<Integer> used, Set<Integer> foreign) {
        Set<String> usedRacks = brokers.stream()
                .filter(broker -> used.contains(broker.id()) && broker.hasRack())
                .map(Node::rack)
                .collect(Collectors.toSet());
        return brokers.stream()
                .filter(broker -> !used.contains(broker.id()))
                .min(Comparator.<Node, Boolean>comparing(
                                broker -> broker.hasRack() && usedRacks.contains(broker.rack()))
                        .thenComparing(broker -> foreign.contains(broker.id())));
    }

    private UnusableLogException tooFew(int number, List<Node> live) {
        return UnusableLogException.passing(
                settings.namedQuorum() + ": the topic '" + settings.shell().topic(number)
                        + "' cannot be created, because the brokers that run are "
                        + live.stream().map(Node::id).toList()
                        + ", and each log of a partition needs a broker that no other log uses",
                "start " + settings.shell().quorum() + " brokers or more, or set neli.quorum to 1 on every member");
    }

    private Map<String, String> config(@Nullable String inSync) {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        if (settings.isQuorum()) {
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
        if (!settings.isQuorum()) {
            return why instanceof InvalidReplicationFactorException
                    ? new UnusableLogException(
                            "neli.topic.replication-factor is '" + topic.replicationFactor() + "': the cluster has "
                                    + brokers + " broker(s)",
                            "lower it or leave it out")
                    : why;
        }
        if (why instanceof InvalidReplicaAssignmentException) {
            return UnusableLogException.passing(
                    settings.namedQuorum() + ": the topic '" + topic.name()
                            + "' cannot be created where its logs should be: " + why.getMessage(),
                    "it is tried again; check that the brokers run");
        }
        return new UnusableLogException(
                settings.namedQuorum() + ": the cluster refuses the topic '" + topic.name()
                        + "', which has a single replica and flush.messages=1: " + why.getMessage(),
                "have such topics allowed, or set neli.quorum to 1 on every member, and neli.lease-duration to more than"
                        + " the brokers need to notice that one of them has crashed, such as 15s");
    }
}
