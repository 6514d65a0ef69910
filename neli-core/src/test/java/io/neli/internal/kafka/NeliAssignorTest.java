package io.neli.internal.kafka;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import io.neli.internal.election.GroupCodec;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class NeliAssignorTest {

    private final List<MemberPlan> assigned = new ArrayList<>();
    private final NeliAssignor assignor = new NeliAssignor();

    private static MemberMetadata member(String name, Map<Integer, Long> leading, GroupConfig groupConfig) {
        return new MemberMetadata(
                id(name), true, Set.of(), 0, leading, groupConfig.fingerprint(), groupConfig.partitions());
    }

    private static MemberId id(String name) {
        return new MemberId(name, new UUID(0, name.hashCode()));
    }

    private static MemberMetadata member(String name) {
        return member(name, Map.of(), Settings.GROUP_CONFIG);
    }

    private static Subscription onTopic(String topic, byte[] data) {
        return new Subscription(List.of(topic), data == null ? null : ByteBuffer.wrap(data));
    }

    private static Subscription onTopic(String topic, MemberMetadata member) {
        return onTopic(topic, GroupCodec.encode(member));
    }

    private Map<String, Assignment> assign(Map<String, Subscription> group) {
        return assignor.assign(Cluster.empty(), new GroupSubscription(group)).groupAssignment();
    }

    private void configure(MemberMetadata self) {
        assignor.configure(Map.of(NeliAssignor.DELEGATE, new NeliAssignor.Delegate() {
            @Override
            public MemberMetadata metadata() {
                return self;
            }

            @Override
            public void assigned(MemberPlan plan) {
                assigned.add(plan);
            }
        }));
    }

    @Test
    void a_member_with_a_newer_version_is_not_counted_and_receives_who_owns_what() {
        configure(member("self"));
        byte[] newer = GroupCodec.encode(member("newer", Map.of(0, 99L), Settings.GROUP_CONFIG));
        newer[0]++;
        Map<String, Assignment> assignments = assign(Map.of("1", onTopic("t", member("a")), "2", onTopic("t", newer)));

        assertThat(assignments.get("1").partitions()).containsExactly(new TopicPartition("t", 0));
        assertThat(assignments.get("2").partitions()).isEmpty();
        assignor.onAssignment(assignments.get("2"), null);
        assertThat(assigned).singleElement().satisfies(plan -> {
            assertThat(plan.members()).isEqualTo(1);
            assertThat(plan.countedEligible()).isNull();
            assertThat(plan.shares()).containsExactly(new MemberPlan.Share(id("a").hash(), null, null));
        });
    }

    @Test
    void noise_from_other_members_is_passed_over() {
        configure(member("self"));
        Random random = new Random(42);
        byte[] valid = GroupCodec.encode(member("a", Map.of(0, 7L), Settings.GROUP_CONFIG));
        for (int round = 0; round < 500; round++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            byte[] damaged = valid.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            Map<String, Subscription> group = new HashMap<>();
            group.put("sound", onTopic("t", member("sound")));
            group.put("noise", onTopic("t", noise));
            group.put("damaged", onTopic("t", damaged));
            group.put("silent", onTopic("t", (byte[]) null));
            group.put("nowhere", new Subscription(List.of()));

            Map<String, Assignment> assignments = assign(group);

            assertThat(assignments).containsOnlyKeys(group.keySet());
            assignments.values().forEach(assignment -> assignor.onAssignment(assignment, null));
            assertThatCode(() -> assignor.onAssignment(new Assignment(List.of(), ByteBuffer.wrap(noise)), null))
                    .doesNotThrowAnyException();
            assertThatCode(() -> assignor.onAssignment(new Assignment(List.of(), ByteBuffer.wrap(damaged)), null))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void a_group_of_noise_only_is_assigned_nothing() {
        assertThat(assign(Map.of("1", onTopic("t", new byte[] {9, 9}), "2", onTopic("t", (byte[]) null)))
                        .values())
                .hasSize(2)
                .allSatisfy(assignment -> assertThat(assignment.partitions()).isEmpty());
        configure(member("self"));
        assignor.onAssignment(new Assignment(List.of(), null), null);
        assertThat(assigned).isEmpty();
    }
}
