package io.neli.internal.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.neli.internal.shell.Problem;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the topics of the logs, creates those that are missing, and refuses those that the election could not rely on. What is
 * wrong with one of them does not concern the others.
 */
final class LeaderTopics {

    private static final Logger log = LoggerFactory.getLogger(LeaderTopics.class);

    private static final int APPEARANCE_TRIES = 100;
    private static final long APPEARANCE_PAUSE_MILLIS = 20;

    private final KafkaSettings settings;
    private final KafkaProblems problems;
    private final TopicCheck check;
    private final TopicCreation creation;

    /**
     * Topics that have not been looked for yet.
     *
     * @param mayLead whether this member may lead; one that may not creates nothing
     */
    LeaderTopics(KafkaSettings settings, BooleanSupplier mayLead) {
        this.settings = settings;
        this.problems = new KafkaProblems(settings);
        this.check = new TopicCheck(settings);
        this.creation = new TopicCreation(settings, mayLead);
    }

    /**
     * What was found, by the number of the topics' logs.
     *
     * @param unusable why the others cannot be used; {@link UnusableLogException} if something has to be changed first
     * @param narrow why those that can be used have fewer partitions than this member needs
     */
    record Found(
            Map<Integer, TopicDescription> usable,
            Map<Integer, RuntimeException> unusable,
            Map<Integer, Problem> narrow) {}

    /**
     * Makes sure that the topics exist and can be used. In order: what is created is placed with regard to those before it, as
     * other members may be creating them, too.
     *
     * @param inUse the logs whose topics are not refused because others conflict with them
     */
    Found find(Admin admin, Set<Integer> inUse) throws InterruptedException {
        Search search = new Search(admin);
        search.describe();
        if (inUse.isEmpty()) {
            search.refuseSingleLog();
        }
        search.createMissing();
        search.widen();
        search.check();
        search.refuseShared(inUse);
        return search.found();
    }

    /** Asks for the topics of these logs; one that does not exist fails with UnknownTopicOrPartitionException. */
    Map<Integer, KafkaFuture<TopicDescription>> describe(Admin admin, Collection<Integer> numbers, boolean withRights) {
        Map<Integer, String> names =
                numbers.stream().collect(Collectors.toMap(number -> number, settings.shell()::topic));
        Map<String, KafkaFuture<TopicDescription>> asked = admin.describeTopics(
                        names.values(), new DescribeTopicsOptions().includeAuthorizedOperations(withRights))
                .topicNameValues();
        Map<Integer, KafkaFuture<TopicDescription>> answers = new TreeMap<>();
        names.forEach((number, name) -> answers.put(number, Objects.requireNonNull(asked.get(name), "not asked for")));
        return answers;
    }

    /**
     * The configuration of a topic; null if it may not be read. Asks again for a topic that one broker has described, and another
     * does not know yet.
     */
    static @Nullable Config config(Admin admin, String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        for (int tries = 1; ; tries++) {
            try {
                return KafkaClients.answer(
                        admin.describeConfigs(List.of(resource)).values().get(resource));
            } catch (AuthorizationException e) {
                log.debug("Not allowed to read the configuration of {}: it is not checked", topic);
                return null;
            } catch (UnknownTopicOrPartitionException e) {
                if (tries == APPEARANCE_TRIES) {
                    throw e;
                }
                Thread.sleep(APPEARANCE_PAUSE_MILLIS);
            }
        }
    }

    /** The brokers of each partition, also of those that are down. */
    static Map<Integer, Set<Integer>> brokers(TopicDescription topic) {
        return topic.partitions().stream()
                .collect(Collectors.toMap(
                        TopicPartitionInfo::partition,
                        partition -> partition.replicas().stream().map(Node::id).collect(Collectors.toSet())));
    }

    /** One look at all topics. */
    private final class Search {

        private final Admin admin;
        private final Map<Integer, TopicDescription> existing = new TreeMap<>();
        private final Map<Integer, RuntimeException> unusable = new TreeMap<>();
        private final Map<Integer, Problem> narrow = new TreeMap<>();

        /** Something that is done with each topic. */
        private interface Step {
            void take(int number) throws InterruptedException;
        }

        Search(Admin admin) {
            this.admin = admin;
        }

        /** Leaves out those that are known to be unusable. */
        private void each(Collection<Integer> numbers, Step step) throws InterruptedException {
            for (int number : numbers) {
                if (!unusable.containsKey(number)) {
                    try {
                        step.take(number);
                    } catch (RuntimeException e) {
                        unusable.put(number, e);
                    }
                }
            }
        }

        void describe() throws InterruptedException {
            Map<Integer, KafkaFuture<TopicDescription>> asked =
                    LeaderTopics.this.describe(admin, settings.numbers(), true);
            each(settings.numbers(), number -> answer(number, asked).ifPresent(found -> existing.put(number, found)));
        }

        private Optional<TopicDescription> answer(int number, Map<Integer, KafkaFuture<TopicDescription>> asked)
                throws InterruptedException {
            try {
                return Optional.of(KafkaClients.answer(asked.get(number)));
            } catch (UnknownTopicOrPartitionException e) {
                return Optional.empty();
            } catch (AuthorizationException e) {
                throw new UnusableLogException(problems.missingDescribe(number), e);
            }
        }

        /** Members that lie on that log alone may lead by it, and the others would be a majority without it. */
        void refuseSingleLog() {
            TopicDescription first = existing.get(0);
            boolean replicated = first != null
                    && first.partitions().stream()
                            .anyMatch(partition -> partition.replicas().size() > 1);
            if (settings.shell().quorum() > 1 && replicated) {
                throw new UnusableLogException(
                        settings.namedQuorum() + ": the topic '"
                                + settings.shell().topic()
                                + "' has several replicas, as with neli.quorum 1, and members may lead by it"
                                + " alone",
                        "stop all members, delete the topic, and start them with the same neli.quorum");
            }
        }

        /** Where another is not known, it is not known either where a missing one may be. */
        void createMissing() throws InterruptedException {
            List<Integer> missing = settings.numbers().stream()
                    .filter(number -> !existing.containsKey(number))
                    .toList();
            each(missing, number -> {
                if (!unusable.isEmpty()) {
                    throw unusable.values().iterator().next();
                }
                try {
                    creation.create(admin, number, placement().values());
                } catch (AuthorizationException e) {
                    throw new UnusableLogException(problems.missingCreate(number), e);
                }
                existing.put(number, awaitWidth(number, 1));
            });
        }

        /** A member that cannot lead all of its roles leads the others. */
        void widen() throws InterruptedException {
            int wanted = settings.shell().partitions();
            each(List.copyOf(existing.keySet()), number -> {
                int width = existing(number).partitions().size();
                if (width < wanted && !creation.widens()) {
                    narrow.put(number, problems.ofWidth(number, width, null));
                } else if (width < wanted) {
                    try {
                        creation.widen(admin, number, width, placementBut(number));
                        existing.put(number, awaitWidth(number, wanted));
                    } catch (RuntimeException e) {
                        log.debug("{}: partitions could not be added", settings.namedTopic(number), e);
                        narrow.put(number, problems.ofWidth(number, width, e));
                    }
                }
            });
        }

        private Collection<Map<Integer, Set<Integer>>> placementBut(int number) {
            Map<Integer, Map<Integer, Set<Integer>>> others = placement();
            others.remove(number);
            return others.values();
        }

        private TopicDescription existing(int number) {
            return Objects.requireNonNull(existing.get(number));
        }

        private Map<Integer, Map<Integer, Set<Integer>>> placement() {
            Map<Integer, Map<Integer, Set<Integer>>> placement = new HashMap<>();
            existing.forEach((number, topic) -> placement.put(number, brokers(topic)));
            return placement;
        }

        /** Waits until the topic has appeared, with at least as many partitions. */
        private TopicDescription awaitWidth(int number, int width) throws InterruptedException {
            for (int tries = 0; tries < APPEARANCE_TRIES; tries++) {
                Optional<TopicDescription> found =
                        answer(number, LeaderTopics.this.describe(admin, List.of(number), true));
                if (found.isPresent() && found.get().partitions().size() >= width) {
                    return found.get();
                }
                Thread.sleep(APPEARANCE_PAUSE_MILLIS);
            }
            throw new UnusableLogException(
                    settings.namedTopic(number)
                            + ": it was created, or partitions were added to it, and they have not appeared",
                    "see the broker's log");
        }

        void check() throws InterruptedException {
            each(existing.keySet(), number -> {
                TopicDescription topic = existing(number);
                checkRights(number, topic);
                check.check(number, topic, config(admin, topic.name()));
            });
        }

        /** Checked here, because a standby would otherwise notice only when the leader has gone. */
        private void checkRights(int number, TopicDescription topic) {
            Set<AclOperation> granted = topic.authorizedOperations();
            if (granted == null || granted.isEmpty()) {
                return; // these brokers do not say
            }
            List<AclOperation> missing = problems.rightsOnTopic().stream()
                    .filter(operation -> !granted.contains(operation))
                    .toList();
            if (!missing.isEmpty()) {
                throw new UnusableLogException(problems.missingOnTopic(number, missing), null);
            }
        }

        void refuseShared(Set<Integer> inUse) {
            Map<Integer, Map<Integer, Set<Integer>>> usable = placement();
            usable.keySet().removeAll(unusable.keySet());
            LogPlacement.refused(usable, settings.shell().partitions(), inUse)
                    .forEach((number, shared) -> unusable.put(number, sharing(number, shared)));
        }

        private UnusableLogException sharing(int number, LogPlacement.Shared shared) {
            String topic = settings.shell().topic(number);
            return new UnusableLogException(
                    new Problem(
                            settings.namedQuorum() + ": partition " + shared.partition() + " of the topics '"
                                    + settings.shell().topic(shared.log()) + "' and '" + topic
                                    + "' is on the same broker, " + shared.broker() + ", so '" + topic
                                    + "' is not used",
                            "move it to another broker (kafka-reassign-partitions.sh), or delete '" + topic
                                    + "', which is then created where it belongs",
                            true),
                    null);
        }

        Found found() {
            existing.keySet().removeAll(unusable.keySet());
            narrow.keySet().removeAll(unusable.keySet());
            return new Found(existing, unusable, narrow);
        }
    }
}
