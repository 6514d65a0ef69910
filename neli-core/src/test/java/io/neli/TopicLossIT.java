package io.neli;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import io.neli.internal.kafka.Brokers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** The leader topic disappears while members use it. */
class TopicLossIT {

    /** Long enough that the leader notices the loss before its lease ends, even on a busy machine. */
    private static final Consumer<NeliBuilder> PATIENT = builder -> builder.leaseDuration(Duration.ofSeconds(20));

    private final String group = TestServers.unusedName("topic-loss");
    private final String topic = group + ".neli";

    private static TestMember losing(TestMember member) {
        member.events.topicIsDeleted();
        return member;
    }

    private static void awaitOneLeads(TestMember... members) {
        eventually().until(() -> Arrays.stream(members).anyMatch(member -> member.neli.isLeader()));
        for (TestMember member : members) {
            eventually().until(() -> member.neli.leader().isPresent());
            member.awaitNoProblem();
        }
    }

    @Test
    void a_topic_that_the_broker_creates_again() {
        Brokers broker = Brokers.shared();
        try (TestMember leader = losing(TestMember.startLeader(group, "leader"));
                TestMember standby = losing(TestMember.startStandby(group, "standby"))) {
            long token = leader.awaitLead().token();
            broker.delete(topic);
            eventually().until(() -> !leader.events.of(LeaderFenced.class).isEmpty());
            awaitOneLeads(leader, standby);
            assertThat(leader.events.of(LeaderFenced.class).get(0).token()).isEqualTo(token);
        }
    }

    @Tag("proof")
    @Test
    void a_topic_that_somebody_creates_again_after_a_while() {
        try (Brokers broker = Brokers.start(1)) {
            broker.create(topic, 1, Map.of());
            isCreatedAgainAfterAWhile(broker);
        }
    }

    private void isCreatedAgainAfterAWhile(Brokers broker) {
        Consumer<NeliBuilder> settings =
                builder -> builder.kafka(Map.of("bootstrap.servers", broker.bootstrapServers()))
                        .createTopic(false);
        try (TestMember leader = losing(TestMember.startLeader(group, "leader", settings.andThen(PATIENT)));
                TestMember standby = losing(TestMember.startStandby(group, "standby", settings));
                TestMember observer = TestMember.startStandby(
                        group, "observer", settings.andThen(builder -> builder.candidate(false)))) {
            long token = leader.awaitLead().token();
            broker.delete(topic);
            LeaderFenced fenced = leader.awaitEvent(LeaderFenced.class);
            assertThat(fenced).isEqualTo(new LeaderFenced(Neli.DEFAULT_ROLE, 0, token, FenceReason.LOG_GAP));
            for (TestMember member : new TestMember[] {leader, standby, observer}) {
                eventually().until(() -> member.neli.snapshot().status() == NeliSnapshot.Status.FAILED);
                member.awaitProblem("neli.topic.name is '" + topic + "': there is no such topic");
                assertThat(member.neli.isLeader()).isFalse();
                eventually().until(() -> member.neli.leader().isEmpty());
            }
            assertNoSpinning(leader, standby, observer);
            broker.create(topic, 1, Map.of());
            awaitOneLeads(leader, standby, observer);
        }
    }

    /**
     * In two seconds, a thread that spins uses at least half a second of processor time; a waiting one, milliseconds.
     */
    private static void assertNoSpinning(TestMember... members) {
        long[] before = new long[members.length];
        for (int i = 0; i < members.length; i++) {
            before[i] = cpuNanos(members[i]);
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        eventually().until(() -> System.nanoTime() > until);
        for (int i = 0; i < members.length; i++) {
            Duration spent = Duration.ofNanos(cpuNanos(members[i]) - before[i]);
            assertThat(spent).as("processor time of %s", members[i].name).isLessThan(Duration.ofMillis(400));
        }
    }

    private static long cpuNanos(TestMember member) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("neli-" + member.name + "-log"))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getId()))
                .sum();
    }

    /** As if another site's topic of the same name were mirrored: terms there have larger offsets. */
    @Test
    void records_that_were_written_to_another_cluster_are_no_part_of_the_election() {
        Brokers broker = Brokers.shared();
        RecordCodec codec = new RecordCodec(group);
        MemberId stranger = new MemberId("other-site", UUID.randomUUID());
        PartitionConfig config = new GroupConfig(Mode.EXCLUSIVE, List.of("default"), 1).of(0);
        try (TestMember leader = TestMember.startLeader(group, "leader")) {
            long token = leader.awaitLead().token();
            for (LogRecord copied : List.of(
                    Records.claim(stranger, 0, Duration.ofMinutes(5), config),
                    Records.heartbeat(stranger, 1, Duration.ofMinutes(5), config, 0, true, 0))) {
                Map<String, byte[]> headers = new HashMap<>(codec.encode(copied));
                headers.put("log", ("other-cluster/" + topic + "/0").getBytes(StandardCharsets.UTF_8));
                broker.append(topic, codec.key(), null, headers);
            }
            eventually().untilAsserted(() -> assertThat(leader.neli.snapshot().problem())
                    .hasValueSatisfying(problem -> assertThat(problem)
                            .contains("neli.topic.name is '" + topic + "'", "copies records", "topics.exclude")));
            assertThat(leader.awaitLead().token()).isEqualTo(token);
            assertThat(leader.events.all()).hasSize(1);
        }
    }
}
