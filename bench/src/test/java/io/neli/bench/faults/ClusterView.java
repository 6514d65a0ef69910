package io.neli.bench.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.neli.cluster.Await;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** The administrator's view of the cluster, with its own routes: asks for its state and changes it. */
final class ClusterView implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    private static final String OFFSETS = "__consumer_offsets";

    private static final Map<String, String> LOG_SETTINGS = Map.of(
            "min.insync.replicas", "1",
            "unclean.leader.election.enable", "false",
            "cleanup.policy", "delete",
            "flush.messages", "1",
            "retention.ms", "-1",
            "retention.bytes", "67108864",
            "segment.bytes", "8388608",
            "message.timestamp.type", "LogAppendTime");

    private final Admin admin;
    private final int brokers;

    ClusterView(BrokerCluster cluster, Collection<Integer> brokers) {
        this.brokers = brokers.size();
        this.admin = Admin.create(Map.of(
                "bootstrap.servers", cluster.addresses(brokers),
                "request.timeout.ms", 3_000,
                "default.api.timeout.ms", 10_000,
                "reconnect.backoff.max.ms", 200));
    }

    private static <T> T answer(KafkaFuture<T> future) throws ExecutionException {
        try {
            return future.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new ExecutionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static <T> T sure(KafkaFuture<T> future) {
        try {
            return answer(future);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    int controller() {
        return sure(admin.describeMetadataQuorum().quorumInfo()).leaderId();
    }

    /** Waits until the brokers know the group: a member may lead before any has joined it. */
    int coordinator(String group) {
        Await.until("the group is known", LIMIT, () -> isKnown(group));
        return sure(describe(group)).coordinator().id();
    }

    private boolean isKnown(String group) {
        try {
            answer(describe(group));
            return true;
        } catch (ExecutionException e) {
            return false; // asked again
        }
    }

    private KafkaFuture<ConsumerGroupDescription> describe(String group) {
        String name = group + ".neli";
        return admin.describeConsumerGroups(List.of(name)).describedGroups().get(name);
    }

    int leader(String topic) {
        return sure(admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                .partitions()
                .get(0)
                .leader()
                .id();
    }

    /** Whether these brokers know of each other and of no other broker. */
    boolean isAlone() {
        try {
            return answer(admin.describeCluster().nodes()).size() == brokers;
        } catch (ExecutionException e) {
            return false; // asked again
        }
    }

    /** Waits until all brokers are back, and all replicas of these topics and of the offsets topic are in sync. */
    void awaitWhole(Collection<String> topics) {
        List<String> all = new ArrayList<>(topics);
        all.add(OFFSETS);
        Await.until("the cluster is whole", LIMIT, () -> isWhole(all));
    }

    private boolean isWhole(List<String> topics) {
        try {
            if (answer(admin.describeCluster().nodes()).size() < brokers) {
                return false;
            }
            return answer(admin.describeTopics(topics).allTopicNames()).values().stream()
                    .map(TopicDescription::partitions)
                    .flatMap(List::stream)
                    .allMatch(ClusterView::isInSync);
        } catch (ExecutionException e) {
            return false; // asked again
        }
    }

    private static boolean isInSync(TopicPartitionInfo partition) {
        return partition.leader() != null
                && partition.isr().size() == partition.replicas().size();
    }

    /** Deletes all records of the topic up to its end. */
    void deleteRecords(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        long end = sure(admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .partitionResult(partition))
                .offset();
        sure(admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end)))
                .lowWatermarks()
                .get(partition));
    }

    void deleteTopic(String topic) {
        sure(admin.deleteTopics(List.of(topic)).all());
    }

    /** Creates a log of a quorum by hand, as docs/quorum.md shows. */
    void createLog(String topic, int broker) {
        sure(admin.createTopics(List.of(new NewTopic(topic, Map.of(0, List.of(broker))).configs(LOG_SETTINGS)))
                .all());
    }

    /** Deletes those topics that exist. One that cannot be deleted now remains. */
    void tidy(Collection<String> topics) {
        for (String topic : topics) {
            try {
                answer(Objects.requireNonNull(
                        admin.deleteTopics(List.of(topic)).topicNameValues().get(topic)));
            } catch (ExecutionException e) {
                // does not exist
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
