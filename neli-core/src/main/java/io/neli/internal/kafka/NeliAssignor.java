package io.neli.internal.kafka;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.neli.internal.election.AssignmentPlan;
import io.neli.internal.election.Assignor;
import io.neli.internal.election.GroupCodec;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs {@link Assignor} in the consumer group (classic protocol, eager). Created by the Kafka client and connected to
 * its member through the client's properties. Called on the group's thread only.
 */
public final class NeliAssignor implements ConsumerPartitionAssignor, Configurable {

    /** The property that holds the {@link Delegate}. */
    static final String DELEGATE = "neli.assignor.delegate";

    private static final Logger log = LoggerFactory.getLogger(NeliAssignor.class);

    private @Nullable Delegate delegate;

    /** The member behind the assignor. */
    interface Delegate {

        /** What the member sends to the group; called for each JoinGroup request. */
        MemberMetadata metadata();

        /** The group finished an assignment, changed or not. */
        void assigned(MemberPlan plan);
    }

    @Override
    public void configure(Map<String, ?> properties) {
        delegate = (Delegate) properties.get(DELEGATE);
    }

    private Delegate delegate() {
        return Objects.requireNonNull(delegate, "not configured");
    }

    @Override
    public String name() {
        return "neli";
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return ByteBuffer.wrap(GroupCodec.encode(delegate().metadata()));
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        Map<String, Map<String, Subscription>> byTopic = new HashMap<>();
        group.groupSubscription()
                .forEach((id, member) -> byTopic.computeIfAbsent(topic(member), topic -> new HashMap<>())
                        .put(id, member));
        Map<String, Assignment> assignments = new HashMap<>();
        byTopic.forEach((topic, members) -> assignments.putAll(assign(topic, members)));
        return new GroupAssignment(assignments);
    }

    /** The topic, which identifies a member's election: two elections may share the group by mistake. */
    private static String topic(Subscription subscription) {
        return subscription.topics().isEmpty() ? "" : subscription.topics().get(0);
    }

    private static Map<String, Assignment> assign(String topic, Map<String, Subscription> group) {
        Map<String, MemberMetadata> members = new HashMap<>();
        group.forEach((id, subscription) -> {
            MemberMetadata member = read(() -> GroupCodec.decodeMetadata(bytes(subscription.userData())));
            if (member != null) {
                members.put(id, member);
            }
        });
        Map<String, Assignment> assignments = new HashMap<>();
        // Must not throw: every poll of the computing member would fail, and nobody would get an assignment.
        if (members.isEmpty()) {
            group.keySet().forEach(id -> assignments.put(id, new Assignment(List.of())));
            return assignments;
        }
        AssignmentPlan plan = Assignor.assign(members.values());
        MemberId any = members.values().iterator().next().member();
        group.keySet().forEach(id -> {
            MemberMetadata metadata = members.get(id);
            MemberId member = metadata == null ? null : metadata.member();
            ByteBuffer data = ByteBuffer.wrap(GroupCodec.encode(plan.partOf(member)));
            assignments.put(id, new Assignment(partitions(plan, member, any, topic), data));
        });
        return assignments;
    }

    /**
     * The partitions to show for a member. Kafka warns of a topic of which none is assigned, as when a group starts, so
     * those without an owner go to any member.
     */
    private static List<TopicPartition> partitions(
            AssignmentPlan plan, @Nullable MemberId member, MemberId any, String topic) {
        return IntStream.range(0, plan.shares().size())
                .filter(partition -> Objects.requireNonNullElse(
                                plan.shares().get(partition).owner(), any)
                        .equals(member))
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    @Override
    public void onAssignment(Assignment assignment, ConsumerGroupMetadata metadata) {
        MemberPlan plan = read(() -> GroupCodec.decodePlan(bytes(assignment.userData())));
        if (plan != null) {
            delegate().assigned(plan);
        }
    }

    private static <T> @Nullable T read(Supplier<T> decoder) {
        try {
            return decoder.get();
        } catch (IllegalArgumentException e) {
            log.warn("Data of a group member is ignored: {}", e.getMessage());
            return null;
        }
    }

    private static byte[] bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return new byte[0];
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
