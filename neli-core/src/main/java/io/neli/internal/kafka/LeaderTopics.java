package io.neli.internal.kafka;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the topics of the logs, creates missing ones, and leaves out those that the election cannot rely on. If one
 * topic is unusable, the others that exist are used nevertheless.
 */
final class LeaderTopics {

    private static final Logger log = LoggerFactory.getLogger(LeaderTopics.class);

    private final KafkaSettings settings;
    private final KafkaProblems problems;
    private final TopicCheck check;
    private final TopicCreation creation;

    /** @param mayLead whether this member may lead; if not, it creates nothing */
    LeaderTopics(KafkaSettings settings, BooleanSupplier mayLead) {
        this.settings = settings;
        this.problems = new KafkaProblems(settings);
        this.check = new TopicCheck(settings);
        this.creation = new TopicCreation(settings, mayLead);
    }

    /**
     * Finds or creates the topics, and checks that they are usable. Creates them in order of number, each placed with
     * regard to those before it, because other members may be creating them, too.
     *
     * @param inUse the log numbers of the topics in use, which are kept if others conflict with them
     */
    FoundTopics find(Admin admin, Set<Integer> inUse) throws InterruptedException {
        FoundTopics found = new FoundTopics(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        Map<Integer, KafkaFuture<TopicDescription>> asked =
                AdminRequests.describe(admin, settings.shell(), settings.numbers(), true);
        found.each(settings.numbers(), number -> {
            TopicDescription topic = answer(number, asked);
            if (topic != null) {
                found.usable().put(number, topic);
            }
        });
        if (inUse.isEmpty()) {
            check.refuseSingleLog(found.usable().get(0));
        }
        List<Integer> missing = settings.numbers().stream()
                .filter(number ->
                        !found.usable().containsKey(number) && !found.unusable().containsKey(number))
                .toList();
        found.each(missing, number -> create(admin, number, found));
        found.each(found.usable().keySet(), number -> widen(admin, number, found));
        found.each(found.usable().keySet(), number -> check(admin, number, found.topic(number)));
        sharing(found.usable(), inUse).forEach(found::leaveOut);
        return found;
    }

    /** Returns null if the topic does not exist. */
    private @Nullable TopicDescription answer(int number, Map<Integer, KafkaFuture<TopicDescription>> asked)
            throws InterruptedException {
        try {
            return AdminRequests.answer(asked.get(number));
        } catch (UnknownTopicOrPartitionException e) {
            return null;
        } catch (AuthorizationException e) {
            throw new UnusableLogException(problems.missingDescribe(number), e);
        }
    }

    /** Fails while another topic is unusable: the brokers to avoid may be unknown. */
    private void create(Admin admin, int number, FoundTopics found) throws InterruptedException {
        if (!found.unusable().isEmpty()) {
            throw found.unusable().values().iterator().next();
        }
        try {
            creation.create(admin, number, found.usable().values());
        } catch (AuthorizationException e) {
            throw new UnusableLogException(problems.missingCreate(number), e);
        }
        found.usable().put(number, awaitWidth(admin, number, 1));
    }

    /** Adds missing partitions. If that fails, the member leads only the partitions that exist. */
    private void widen(Admin admin, int number, FoundTopics found) throws InterruptedException {
        int wanted = settings.shell().partitions();
        int width = found.topic(number).partitions().size();
        if (width >= wanted) {
            return;
        }
        if (!creation.widens()) {
            found.narrow().put(number, problems.ofWidth(number, width, null));
            return;
        }
        try {
            creation.widen(admin, number, width, found.usable().values());
            found.usable().put(number, awaitWidth(admin, number, wanted));
        } catch (RuntimeException e) {
            log.debug("{}: partitions could not be added", settings.namedTopic(number), e);
            found.narrow().put(number, problems.ofWidth(number, width, e));
        }
    }

    /** Waits until the topic appears, with at least this many partitions. */
    private TopicDescription awaitWidth(Admin admin, int number, int width) throws InterruptedException {
        for (int tries = 0; tries < AdminRequests.APPEARANCE_TRIES; tries++) {
            TopicDescription found =
                    answer(number, AdminRequests.describe(admin, settings.shell(), List.of(number), true));
            if (found != null && found.partitions().size() >= width) {
                return found;
            }
            Thread.sleep(AdminRequests.APPEARANCE_PAUSE_MILLIS);
        }
        throw new UnusableLogException(
                settings.namedTopic(number)
                        + ": it was created, or partitions were added to it, and they have not appeared",
                "see the broker's log");
    }

    /** Checks the rights, too: otherwise a standby would notice that one is missing only after the leader has gone. */
    private void check(Admin admin, int number, TopicDescription topic) throws InterruptedException {
        @Nullable Set<AclOperation> granted = topic.authorizedOperations();
        if (granted != null && !granted.isEmpty()) { // otherwise the brokers do not tell
            List<AclOperation> missing = problems.rightsOnTopic().stream()
                    .filter(operation -> !granted.contains(operation))
                    .toList();
            if (!missing.isEmpty()) {
                throw new UnusableLogException(problems.missingOnTopic(number, missing), null);
            }
        }
        check.check(number, topic, AdminRequests.config(admin, topic.name()));
        if (check.hasFewReplicas(topic)) {
            check.warnOfReplicas(
                    topic, AdminRequests.answer(admin.describeCluster().nodes()).size());
        }
    }

    /**
     * Refuses each topic that has a log of a partition on the same broker as another topic that is used. Topics in use
     * take precedence, then those with smaller numbers.
     */
    Map<Integer, UnusableLogException> sharing(Map<Integer, TopicDescription> topics, Set<Integer> inUse) {
        Map<Integer, TopicDescription> used = new TreeMap<>();
        Map<Integer, UnusableLogException> refused = new TreeMap<>();
        topics.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Integer, ?>, Boolean>comparing(each -> !inUse.contains(each.getKey()))
                        .thenComparing(Map.Entry::getKey))
                .forEach(each -> used.values().stream()
                        .flatMap(other -> sharing(other, each.getValue()).stream())
                        .findFirst()
                        .ifPresentOrElse(
                                refusal -> refused.put(each.getKey(), refusal),
                                () -> used.put(each.getKey(), each.getValue())));
        return refused;
    }

    private Optional<UnusableLogException> sharing(TopicDescription used, TopicDescription other) {
        for (int partition = 0; partition < settings.shell().partitions(); partition++) {
            Set<Integer> both = TopicCreation.brokers(used, partition);
            both.retainAll(TopicCreation.brokers(other, partition));
            if (!both.isEmpty()) {
                String what = settings.namedQuorum() + ": partition " + partition + " of the topics '" + used.name()
                        + "' and '" + other.name() + "' is on the same broker, "
                        + both.iterator().next() + ", so '"
                        + other.name() + "' is not used";
                String fix = "move it to another broker (kafka-reassign-partitions.sh), or delete '" + other.name()
                        + "', which is then created where it belongs";
                return Optional.of(UnusableLogException.passing(what, fix));
            }
        }
        return Optional.empty();
    }
}
