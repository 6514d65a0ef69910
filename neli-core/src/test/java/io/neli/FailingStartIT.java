package io.neli;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.neli.internal.kafka.TestBroker;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings that only the cluster can refuse: the member says what is wrong, and leads once it is right. */
class FailingStartIT {

    /** A start or a close that waits for a broker takes longer than this by far. */
    private static final Duration AT_ONCE = Duration.ofSeconds(3);

    private final TestBroker broker = TestBroker.shared();
    private final String group = TestBroker.unusedName("failing-start");
    private final String topic = group + ".neli";
    private final String name = group + "-member";

    private static void assertAtOnce(String what, Runnable action) {
        long start = System.nanoTime();
        action.run();
        assertThat(System.nanoTime() - start).as(what).isLessThan(AT_ONCE.toNanos());
    }

    private TestMember failing(Consumer<NeliBuilder> settings, String... words) {
        TestMember member = TestMember.of(group, name, settings);
        assertAtOnce("start", member.neli::start);
        assertThat(member.neli.snapshot().status()).isIn(NeliSnapshot.Status.CONNECTING, NeliSnapshot.Status.FAILED);
        String problem = member.awaitProblem();
        assertThat(problem).contains(words);
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.FAILED);
        assertThat(member.neli.isLeader()).isFalse();
        assertThat(member.neli.leader()).isEmpty();
        assertThat(member.neli.beginWork()).isEmpty();
        return member;
    }

    private void assertClosesAtOnce(TestMember member) {
        assertAtOnce("close", member::close);
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
                .noneMatch(thread -> thread.startsWith("neli-" + name));
    }

    private static void assertLeadsAtLast(TestMember member) {
        member.awaitLead();
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.RUNNING);
        assertThat(member.neli.snapshot().problem()).isEmpty();
    }

    private Consumer<NeliBuilder> kafka(String property, Object value) {
        Map<String, Object> kafka = new HashMap<>();
        kafka.put("bootstrap.servers", broker.bootstrapServers());
        kafka.put(property, value);
        return builder -> builder.kafka(kafka);
    }

    @Test
    void aBrokerThatIsNotThereYet() throws Exception {
        try (Forwarder forwarder = new Forwarder();
                TestMember member = failing(
                        kafka("bootstrap.servers", forwarder.address()),
                        "neli.kafka.bootstrap-servers is '" + forwarder.address() + "'",
                        "check")) {
            forwarder.forwardTo(broker.bootstrapServers());
            assertLeadsAtLast(member);
        }
    }

    @Test
    void closeDoesNotWaitForABrokerThatIsNotThere() throws Exception {
        try (Forwarder forwarder = new Forwarder()) {
            TestMember member = TestMember.start(group, name, kafka("bootstrap.servers", forwarder.address()));
            eventually().until(() -> hasThread("kafka-admin-client-thread | neli-" + name + "-admin"));
            assertClosesAtOnce(member);
        }
    }

    @Test
    void closeDoesNotWaitForABrokerThatDoesNotAnswer() throws Exception {
        try (Forwarder forwarder = new Forwarder()) {
            forwarder.listen();
            TestMember member = TestMember.start(group, name, kafka("bootstrap.servers", forwarder.address()));
            eventually().until(() -> hasThread("kafka-admin-client-thread | neli-" + name + "-admin"));
            assertClosesAtOnce(member);
        }
    }

    private static boolean hasThread(String threadName) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(threadName));
    }

    @Test
    void aHostThatCannotBeResolved() {
        TestMember member = failing(
                kafka("bootstrap.servers", "no-such-host.invalid:9092"),
                "neli.kafka.bootstrap-servers is 'no-such-host.invalid:9092'",
                "check");
        assertClosesAtOnce(member);
    }

    @Test
    void anAddressWithoutPort() {
        TestMember member =
                failing(kafka("bootstrap.servers", "localhost"), "neli.kafka.bootstrap-servers is 'localhost'", "port");
        assertClosesAtOnce(member);
    }

    @Test
    void aSecurityProtocolThatDoesNotExist() {
        TestMember member =
                failing(kafka("security.protocol", "TRUST_ME"), "security.protocol", "TRUST_ME", "PLAINTEXT");
        assertClosesAtOnce(member);
    }

    @Test
    void aSecurityProtocolThatTheBrokerDoesNotSpeak() {
        TestMember member = failing(kafka("security.protocol", "SSL"), "security.protocol is 'SSL'", "check");
        assertClosesAtOnce(member);
    }

    @Test
    void aTopicThatIsMissingAndMayNotBeCreated() {
        try (TestMember member = failing(
                builder -> builder.createTopic(false),
                "neli.topic is '" + topic + "'",
                "neli.topic-creation.enabled is 'false'",
                "create it")) {
            assertThat(broker.exists(topic)).isFalse();
            broker.create(topic, 1, Map.of());
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aTopicWithTooFewPartitions() {
        broker.create(topic, 1, Map.of());
        try (TestMember member = failing(
                builder -> builder.partitions(2), "neli.partitions is '2'", topic, "only 1", "add partitions")) {
            broker.addPartitions(topic, 2);
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aTopicWithMorePartitionsThanNeededIsUsedAsFarAsNeeded() {
        broker.create(topic, 3, Map.of());
        broker.append(topic, 2, new byte[] {1}, null, List.of());
        Consumer<NeliBuilder> two = builder -> builder.partitions(2);
        try (TestMember leader = TestMember.startLeader(group, name, two)) {
            eventually().until(() -> leader.neli.isLeader("partition-0") && leader.neli.isLeader("partition-1"));
            broker.addPartitions(topic, 5);
            try (TestMember other = TestMember.startStandby(group, name + "-other", two)) {
                eventually()
                        .until(() -> other.neli.isLeader("partition-0") != other.neli.isLeader("partition-1")
                                && leader.neli.isLeader("partition-0") != leader.neli.isLeader("partition-1"));
                assertThat(other.neli.snapshot().partitions()).hasSize(2);
                assertThat(other.neli.snapshot().problem()).isEmpty();
                assertThat(leader.neli.snapshot().problem()).isEmpty();
            }
        }
    }

    @Test
    void aTopicThatIsCompacted() {
        broker.create(topic, 1, Map.of("cleanup.policy", "compact"));
        try (TestMember member = failing(
                builder -> {},
                "neli.topic is '" + topic + "'",
                "cleanup.policy is 'compact'",
                "cleanup.policy=delete")) {
            broker.delete(topic); // and the member creates it
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aTopicThatMayNotBeCreatedByThisPrincipal() {
        broker.forbid(topic, AclOperation.CREATE);
        try (TestMember member = failing(
                builder -> {},
                "neli.topic is '" + topic + "'",
                "no such topic, and this application's principal has no right to CREATE",
                "grant CREATE")) {
            broker.allow(topic);
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aTopicThatMayNotBeSeenByThisPrincipal() {
        broker.create(topic, 1, Map.of());
        broker.forbid(topic, AclOperation.DESCRIBE, AclOperation.READ, AclOperation.WRITE);
        try (TestMember member = failing(
                builder -> {}, "neli.topic is '" + topic + "'", "no right to DESCRIBE", "grant READ and WRITE")) {
            broker.allow(topic);
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aTopicThatMayNotBeReadByThisPrincipal() {
        broker.create(topic, 1, Map.of());
        broker.forbid(topic, AclOperation.READ);
        try (TestMember member = TestMember.start(group, name)) {
            assertThat(member.awaitProblem())
                    .contains(
                            "neli.topic is '" + topic + "'",
                            "no right to READ on this topic",
                            "--operation READ --topic");
            assertThat(member.neli.isLeader()).isFalse();
            broker.allow(topic);
            member.awaitLead();
            eventually().until(() -> member.neli.snapshot().problem().isEmpty());
        }
    }

    @Test
    void aTopicThatMayNotBeWrittenByThisPrincipal() {
        broker.create(topic, 1, Map.of());
        broker.forbid(topic, AclOperation.WRITE);
        try (TestMember member = TestMember.start(group, name)) {
            assertThat(member.awaitProblem())
                    .contains(
                            "neli.topic is '" + topic + "'",
                            "no right to WRITE on this topic",
                            "--operation WRITE --topic");
            assertThat(member.neli.isLeader()).isFalse();
            broker.allow(topic);
            member.awaitLead();
            eventually().until(() -> member.neli.snapshot().problem().isEmpty());
        }
    }

    @Test
    void aGroupThatMayNotBeJoinedByThisPrincipal() {
        broker.forbid(group, AclOperation.READ);
        try (TestMember member = TestMember.startLeader(group, name)) {
            assertThat(member.awaitProblem())
                    .contains(
                            "neli.group-id is '" + group + "'",
                            "no right to READ on this consumer group",
                            "grant READ");
            assertThat(member.neli.isLeader()).as("leads without the group").isTrue();
            broker.allow(group);
            eventually().untilAsserted(() -> assertThat(member.neli.snapshot().groupMembers())
                    .containsExactly(name));
            assertThat(member.neli.snapshot().problem()).isEmpty();
            assertThat(member.events.all()).hasSize(1);
        }
    }

    @Test
    void aReplicationFactorThatTheClusterIsTooSmallFor() {
        try (TestMember member = failing(
                builder -> builder.replicationFactor(3),
                "neli.topic-creation.replication-factor is '3'",
                "1 broker",
                "lower it")) {
            broker.create(topic, 1, Map.of());
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aStartThatIsToFailFastDoesSoAsSoonAsWhatDoesNotPassShows() {
        broker.create(topic, 1, Map.of("cleanup.policy", "compact"));
        TestMember member = TestMember.of(group, name, builder -> builder.failFast(TestMember.PATIENCE));

        assertAtOnce("start", () -> assertThatThrownBy(member.neli::start)
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("cleanup.policy is 'compact'", "set cleanup.policy=delete"));
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);

        broker.delete(topic);
        try (member) {
            eventually().until(() -> !broker.exists(topic));
            member.neli.start();
            assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.RUNNING);
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aStartThatIsToFailFastWaitsForABrokerThatIsNotThereYet() throws Exception {
        try (Forwarder forwarder = new Forwarder();
                TestMember member = TestMember.of(
                        group,
                        name,
                        kafka("bootstrap.servers", forwarder.address())
                                .andThen(builder -> builder.failFast(TestMember.PATIENCE)))) {
            CompletableFuture<Void> start = CompletableFuture.runAsync(member.neli::start);
            member.awaitProblem();
            assertThat(start).isNotDone();
            forwarder.forwardTo(broker.bootstrapServers());
            assertThat(start).succeedsWithin(TestMember.PATIENCE);
            assertLeadsAtLast(member);
        }
    }

    @Test
    void aStartThatIsToFailFastDoesNotWaitForABrokerForEver() throws Exception {
        try (Forwarder forwarder = new Forwarder()) {
            TestMember member = TestMember.of(
                    group,
                    name,
                    kafka("bootstrap.servers", forwarder.address())
                            .andThen(builder -> builder.failFast(Duration.ofMillis(100))));
            assertThatThrownBy(member.neli::start)
                    .isInstanceOf(NeliException.class)
                    .hasMessageContaining("within 100 ms");
            assertClosesAtOnce(member);
        }
    }

    @Test
    void theTopicIsCreatedAsTheElectionNeedsIt() {
        try (TestMember member = TestMember.startLeader(group, name, builder -> builder.partitions(3))) {
            assertThat(member.neli.isLeader()).isTrue();
            assertThat(broker.describe(topic).partitions()).hasSize(3);
        }
    }

    @Test
    void propertiesOfTheApplicationsOwnClientsAreNoHindrance() throws Exception {
        Map<String, Object> kafka = new HashMap<>();
        kafka.put("bootstrap.servers", broker.bootstrapServers());
        kafka.put("group.id", "the-applications-own");
        kafka.put("group.protocol", "consumer");
        kafka.put("group.instance.id", "static-1");
        kafka.put("session.timeout.ms", 45_000);
        kafka.put("isolation.level", "read_committed");
        kafka.put("enable.auto.commit", "true");
        kafka.put("auto.offset.reset", "earliest");
        kafka.put("max.poll.interval.ms", "1000");
        kafka.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor");
        kafka.put("interceptor.classes", "no.such.Interceptor");
        kafka.put("key.deserializer", "no.such.Deserializer");
        kafka.put("value.serializer", "no.such.Serializer");
        kafka.put("acks", "0");
        kafka.put("retries", 0);
        kafka.put("enable.idempotence", false);
        kafka.put("max.in.flight.requests.per.connection", 100);
        kafka.put("transactional.id", "tx");
        kafka.put("linger.ms", 60_000);
        kafka.put("delivery.timeout.ms", 120_000);
        kafka.put("unknown.object", new Object());
        try (TestMember member = TestMember.startLeader(group, name, builder -> builder.kafka(kafka))) {
            eventually().untilAsserted(() -> assertThat(member.neli.snapshot().groupMembers())
                    .containsExactly(name));
            assertThat(member.neli.snapshot().problem()).isEmpty();
            assertThat(broker.admin()
                            .describeConsumerGroups(List.of(group))
                            .all()
                            .get(30, TimeUnit.SECONDS)
                            .get(group)
                            .members())
                    .singleElement()
                    .satisfies(inGroup -> assertThat(inGroup.groupInstanceId()).isEmpty());
        }
    }
}
