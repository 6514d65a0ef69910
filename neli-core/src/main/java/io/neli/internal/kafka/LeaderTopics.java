package io.neli.internal.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the topics of the logs, creates those that are missing, and refuses those that the election could not rely on. What is
 * wrong with one of them does not concern the others.
 */
final class LeaderTopics {

    private static final int APPEARANCE_TRIES = 100;
    private static final long APPEARANCE_PAUSE_MILLIS = 20;

    private final KafkaSettings settings;
    private final Rights rights;
    private final TopicCheck check;
    private final TopicCreation creation;

    /**
     * Topics that have not been looked for yet.
     *
     * @param mayLead whether this member may lead; one that may not creates nothing
     */
    LeaderTopics(KafkaSettings settings, BooleanSupplier mayLead) {
        this.settings = settings;
        this.rights = new Rights(settings);
        this.check = new TopicCheck(settings);
        this.creation = new TopicCreation(settings, mayLead);
    }

    /** What was found of a topic. */
    sealed interface Found {

        /**
         * It can be used.
         *
         * @param id a topic that is created again has another id
         * @param brokers where its partitions are
         */
        record Usable(Uuid id, Set<Integer> brokers) implements Found {}

        /**
         * It cannot be used.
         *
         * @param why {@link UnusableTopicException} if a setting has to be changed or a right granted first
         */
        record Unusable(RuntimeException why) implements Found {}
    }

    /**
     * Makes sure that the topics exist and can be used. In order: what is created is placed with regard to those before it, as
     * other members may be creating them, too.
     *
     * @param inUse the logs whose topics are not refused because others conflict with them
     * @return what was found of each
     */
    Map<Integer, Found> ensure(Admin admin, Set<Integer> inUse) throws InterruptedException {
        Search search = new Search(admin);
        search.describe();
        if (inUse.isEmpty()) {
            search.refuseSingleLog();
        }
        search.createMissing();
        search.widen();
        return search.check(inUse);
    }

    /** Asks for the current id of the topic; fails with UnknownTopicOrPartitionException if there is none. */
    KafkaFuture<Uuid> id(Admin admin, int log) {
        String topic = settings.shell().topic(log);
        return description(describe(admin, List.of(topic), false), topic).thenApply(TopicDescription::topicId);
    }

    private static Map<String, KafkaFuture<TopicDescription>> describe(
            Admin admin, List<String> topics, boolean withRights) {
        return admin.describeTopics(topics, new DescribeTopicsOptions().includeAuthorizedOperations(withRights))
                .topicNameValues();
    }

    private static KafkaFuture<TopicDescription> description(
            Map<String, KafkaFuture<TopicDescription>> asked, String topic) {
        return Objects.requireNonNull(asked.get(topic), "not asked for");
    }

    /** The brokers of each partition, also of those that are down. */
    private static Map<Integer, Set<Integer>> brokers(TopicDescription topic) {
        return topic.partitions().stream()
                .collect(Collectors.toMap(
                        TopicPartitionInfo::partition,
                        partition -> partition.replicas().stream().map(Node::id).collect(Collectors.toSet())));
    }

    /** One look at all topics. */
    private final class Search {

        private final Admin admin;
        private final Map<Integer, TopicDescription> existing = new TreeMap<>();
        private final Map<Integer, Found> result = new TreeMap<>();

        Search(Admin admin) {
            this.admin = admin;
        }

        void describe() throws InterruptedException {
            Map<String, KafkaFuture<TopicDescription>> asked = LeaderTopics.describe(admin, settings.topics(), true);
            for (int log = 0; log < settings.shell().quorum(); log++) {
                try {
                    Optional<TopicDescription> found =
                            answer(log, description(asked, settings.shell().topic(log)));
                    if (found.isPresent()) {
                        existing.put(log, found.get());
                    }
                } catch (RuntimeException e) {
                    result.put(log, new Found.Unusable(e));
                }
            }
        }

        private Optional<TopicDescription> answer(int log, KafkaFuture<TopicDescription> description)
                throws InterruptedException {
            try {
                return Optional.of(Answers.of(description));
            } catch (UnknownTopicOrPartitionException e) {
                return Optional.empty();
            } catch (AuthorizationException e) {
                throw new UnusableTopicException(rights.missingDescribe(log), e);
            }
        }

        /** Members that lie on that log alone may lead by it, and the others would be a majority without it. */
        void refuseSingleLog() {
            TopicDescription first = existing.get(0);
            boolean replicated = first != null
                    && first.partitions().stream()
                            .anyMatch(partition -> partition.replicas().size() > 1);
            if (settings.shell().quorum() > 1 && replicated) {
                throw creation.ofSingleLog();
            }
        }

        /** Where another is not known, it is not known either where a missing one may be. */
        void createMissing() throws InterruptedException {
            @Nullable RuntimeException failure = null;
            for (Found each : result.values()) {
                failure = each instanceof Found.Unusable unusable ? unusable.why() : failure;
            }
            for (int log = 0; log < settings.shell().quorum(); log++) {
                if (existing.containsKey(log) || result.containsKey(log)) {
                    continue;
                }
                try {
                    if (failure != null) {
                        throw failure;
                    }
                    creation.create(admin, log, placement());
                    existing.put(log, awaitWidth(log, 1));
                } catch (RuntimeException e) {
                    failure = e;
                    result.put(log, new Found.Unusable(e));
                }
            }
        }

        private void widen() throws InterruptedException {
            int wanted = settings.shell().partitions();
            for (Map.Entry<Integer, TopicDescription> each : existing.entrySet()) {
                int log = each.getKey();
                int width = each.getValue().partitions().size();
                if (width < wanted && creation.widens()) {
                    Map<Integer, Map<Integer, Set<Integer>>> others = placement();
                    others.remove(log);
                    try {
                        creation.widen(admin, log, width, others.values());
                        each.setValue(awaitWidth(log, wanted));
                    } catch (RuntimeException e) {
                        result.put(log, new Found.Unusable(e));
                    }
                }
            }
        }

        private Map<Integer, Map<Integer, Set<Integer>>> placement() {
            Map<Integer, Map<Integer, Set<Integer>>> placement = new HashMap<>();
            existing.forEach((log, topic) -> placement.put(log, brokers(topic)));
            return placement;
        }

        /** Waits until the topic has appeared, with at least as many partitions. */
        private TopicDescription awaitWidth(int log, int width) throws InterruptedException {
            String topic = settings.shell().topic(log);
            for (int tries = 0; tries < APPEARANCE_TRIES; tries++) {
                Optional<TopicDescription> found =
                        answer(log, description(LeaderTopics.describe(admin, List.of(topic), true), topic));
                if (found.isPresent() && found.get().partitions().size() >= width) {
                    return found.get();
                }
                Thread.sleep(APPEARANCE_PAUSE_MILLIS);
            }
            throw new UnusableTopicException(
                    settings.namedTopic(log)
                            + ": it was created, or partitions were added to it, and they have not appeared",
                    "see the broker's log");
        }

        Map<Integer, Found> check(Set<Integer> inUse) throws InterruptedException {
            for (Map.Entry<Integer, TopicDescription> each : existing.entrySet()) {
                if (result.containsKey(each.getKey())) {
                    continue;
                }
                try {
                    check.check(admin, each.getKey(), each.getValue());
                } catch (RuntimeException e) {
                    result.put(each.getKey(), new Found.Unusable(e));
                }
            }
            Map<Integer, Map<Integer, Set<Integer>>> usable = placement();
            usable.keySet().removeAll(result.keySet());
            LogPlacement.refused(usable, settings.shell().partitions(), inUse)
                    .forEach((log, shared) -> result.put(log, new Found.Unusable(creation.sharing(log, shared))));
            existing.forEach((log, topic) -> result.putIfAbsent(
                    log,
                    new Found.Usable(
                            topic.topicId(),
                            brokers(topic).entrySet().stream()
                                    .filter(partition -> partition.getKey()
                                            < settings.shell().partitions())
                                    .flatMap(partition -> partition.getValue().stream())
                                    .collect(Collectors.toUnmodifiableSet()))));
            return result;
        }
    }
}
