package io.neli;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.internal.kafka.Brokers;
import io.neli.internal.kafka.RefusingAuthorizer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.TestMember.eventually;
import static io.neli.TestMember.threads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings that only the cluster can refuse: the member reports the problem, and leads once it is fixed. */
@Execution(ExecutionMode.CONCURRENT) // because most of the time they wait
class FailingStartIT {

    /** A start or close that waits for a broker takes much longer than this. */
    private static final Duration AT_ONCE = Duration.ofSeconds(25);

    private final Brokers broker = Brokers.shared();
    private final String group = TestServers.unusedName("failing-start");
    /** The name of the leader topic and of the consumer group. */
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
        member.awaitProblem(words);
        eventually().until(() -> member.neli.snapshot().status() == NeliSnapshot.Status.FAILED);
        assertThat(member.neli.isLeader()).isFalse();
        assertThat(member.neli.leader()).isEmpty();
        assertThat(member.neli.beginWork()).isEmpty();
        return member;
    }

    private void assertClosesAtOnce(TestMember member) {
        assertAtOnce("close", member::close);
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        eventually().atMost(AT_ONCE).untilAsserted(() -> assertThat(threads("neli-" + name))
                .isEmpty());
    }

    private static void assertLeadsAtLast(TestMember member) {
        member.awaitLead();
        member.awaitRunning();
        member.awaitNoProblem();
    }

    private Consumer<NeliBuilder> kafka(String property, Object value) {
        Map<String, Object> kafka = new HashMap<>();
        kafka.put("bootstrap.servers", broker.bootstrapServers());
        kafka.put(property, value);
        return builder -> builder.kafka(kafka);
    }

    @Test
    void close_does_not_wait_for_a_broker_that_does_not_answer() {
        try (Network network = new Network()) {
            Link link = network.link(port());
            link.silence();
            TestMember member = TestMember.start(group, name, kafka("bootstrap.servers", link.address()));
            eventually().until(() -> !threads("kafka-admin-client-thread | neli-" + name + "-admin")
                    .isEmpty());
            assertClosesAtOnce(member);
        }
    }

    private int port() {
        String address = broker.bootstrapServers();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    @ParameterizedTest
    @CsvSource({
        "bootstrap.servers, no-such-host.invalid:9092, check",
        "security.protocol, SSL, check" // the broker does not support it
    })
    void a_way_to_the_cluster_that_leads_nowhere(String property, String value, String fix) {
        assertClosesAtOnce(failing(kafka(property, value), property, value, fix));
    }

    @Test
    void a_topic_that_is_missing_and_may_not_be_created() {
        try (TestMember member = failing(
                builder -> builder.createTopic(false),
                "neli.topic.name is '" + topic + "'",
                "neli.topic.create is 'false'",
                "create it")) {
            assertThat(broker.exists(topic)).isFalse();
            broker.create(topic, 1, Map.of());
            assertLeadsAtLast(member);
        }
    }

    @Test
    void a_topic_with_too_few_partitions() {
        broker.create(topic, 1, Map.of());
        try (TestMember member = TestMember.startLeader(
                group, name, builder -> builder.partitions(2).createTopic(false))) {
            member.awaitProblem(
                    "neli.partitions is '2'",
                    "the topic '" + topic + "' has only 1, so only these are led, and neli.topic.create is 'false'",
                    "add partitions: kafka-topics.sh",
                    "--alter --topic " + topic + " --partitions 2");
            assertThat(member.neli.isLeader("partition-1")).isFalse();
            broker.addPartitions(topic, 2);
            eventually().until(() -> member.neli.isLeader("partition-1"));
            member.awaitNoProblem();
            assertThat(member.events.of(LeaderEvent.LeaderFenced.class)).isEmpty();
        }
    }

    @Test
    void a_topic_with_too_few_partitions_that_this_principal_may_not_add_to() {
        broker.create(topic, 1, Map.of());
        RefusingAuthorizer.forbid(ResourceType.TOPIC, topic, AclOperation.ALTER);
        try (TestMember member = TestMember.startLeader(group, name, builder -> builder.roles("invoices", "mail"))) {
            member.awaitProblem(
                    "neli.partitions is '2'",
                    "only 1, so only these are led, and this application's principal has no right to ALTER it",
                    "--alter --topic " + topic + " --partitions 2",
                    "grant ALTER");
            assertThat(member.neli.isLeader("mail")).isFalse();
            RefusingAuthorizer.allow(ResourceType.TOPIC, topic);
            eventually().until(() -> member.neli.isLeader("mail"));
            member.awaitNoProblem();
            assertThat(broker.describe(topic).partitions()).hasSize(2);
        }
    }

    @Test
    void an_observer_creates_no_topic_as_it_may_know_fewer_roles_than_those_that_lead() {
        try (TestMember observer = failing(
                builder -> builder.candidate(false),
                "neli.topic.name is '" + topic + "'",
                "an observer (neli.candidate is 'false') creates none",
                "start a member that may lead")) {
            assertThat(broker.exists(topic)).isFalse();
            observer.neli.candidate(true);
            assertLeadsAtLast(observer);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE, no such topic, no right to CREATE, grant CREATE",
        "DESCRIBE READ WRITE, principal, no right to DESCRIBE, grant READ and WRITE",
        "READ, principal, no right to READ on this topic, --operation READ --topic",
        "WRITE, principal, no right to WRITE on this topic, --operation WRITE --topic"
    })
    void a_topic_that_this_principal_has_too_few_rights_on(String rights, String what, String right, String fix) {
        if (!rights.equals("CREATE")) {
            broker.create(topic, 1, Map.of());
        }
        RefusingAuthorizer.forbid(
                ResourceType.TOPIC,
                topic,
                Stream.of(rights.split(" ")).map(AclOperation::valueOf).toArray(AclOperation[]::new));
        try (TestMember member = failing(builder -> {}, "neli.topic.name is '" + topic + "'", what, right, fix)) {
            RefusingAuthorizer.allow(ResourceType.TOPIC, topic);
            assertLeadsAtLast(member);
        }
    }

    /** The consumer stays in the group, where its client sends heartbeats. */
    @Tag("proof")
    @Test
    void a_consumer_of_the_application_in_the_group_is_a_problem_and_no_hindrance() {
        broker.create(group + ".own", 1, Map.of());
        try (KafkaConsumer<byte[], byte[]> foreign = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "group.id", topic),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            foreign.subscribe(List.of(group + ".own"));
            eventually().pollInSameThread().until(() -> {
                foreign.poll(Duration.ofMillis(100));
                return !foreign.assignment().isEmpty();
            });
            try (TestMember first = TestMember.startLeader(group, "first");
                    TestMember second = TestMember.startStandby(group, "second")) {
                for (TestMember member : List.of(first, second)) {
                    member.awaitProblem("use its consumer group '" + topic + "'", "set neli.group-id to a name");
                    member.awaitRunning();
                }
                // The problem remains as long as its cause, through further attempts to join.
                long attempts = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                eventually()
                        .failFast(() -> first.neli.snapshot().problem().isEmpty())
                        .until(() -> System.nanoTime() > attempts);

                first.neli.close();
                second.awaitLead();

                foreign.unsubscribe();
                eventually().until(() -> second.neli.snapshot().groupMembers() == 1);
                second.awaitNoProblem();
            }
        }
    }

    @Test
    void a_replication_factor_that_the_cluster_is_too_small_for() {
        try (TestMember member = failing(
                builder -> builder.replicationFactor(3),
                "neli.topic.replication-factor is '3'",
                "1 broker",
                "lower it")) {
            broker.create(topic, 1, Map.of());
            assertLeadsAtLast(member);
        }
    }

    @Test
    void a_start_that_is_to_fail_fast_does_so_as_soon_as_what_does_not_pass_shows() {
        broker.create(topic, 1, Map.of("cleanup.policy", "compact"));
        TestMember member = TestMember.of(group, name, builder -> builder.failFast(TestMember.PATIENCE));

        assertAtOnce("start", () -> assertThatThrownBy(member.neli::start)
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "neli.topic.name is '" + topic + "'", "cleanup.policy is 'compact'", "cleanup.policy=delete"));
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);

        broker.delete(topic);
        try (member) {
            eventually().until(() -> !broker.exists(topic));
            member.neli.start();
            assertLeadsAtLast(member);
        }
    }

    @Tag("proof")
    @Test
    void a_start_that_is_to_fail_fast_waits_for_a_broker_that_is_not_there_yet() {
        try (Network network = new Network()) {
            Link link = network.link(port());
            link.refuse();
            try (TestMember member = TestMember.of(
                    group,
                    name,
                    kafka("bootstrap.servers", link.address())
                            .andThen(builder -> builder.failFast(TestMember.PATIENCE)))) {
                CompletableFuture<Void> start = CompletableFuture.runAsync(member.neli::start);
                member.awaitProblem("bootstrap.servers is '" + link.address() + "'", "check");
                assertThat(start).isNotDone();
                link.pass();
                assertThat(start).succeedsWithin(TestMember.PATIENCE);
                assertLeadsAtLast(member);
            }
        }
    }

    @Test
    void a_start_that_is_to_fail_fast_does_not_wait_for_a_broker_forever() {
        TestMember member = TestMember.of(
                group,
                name,
                kafka("bootstrap.servers", "127.0.0.1:" + Network.freePort())
                        .andThen(builder -> builder.failFast(Duration.ofMillis(100))));
        assertThatThrownBy(member.neli::start)
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("neli.fail-fast, which is '100ms'");
        assertClosesAtOnce(member);
    }

    @Test
    void properties_of_the_applications_own_clients_are_no_hindrance() {
        Map<String, Object> kafka = Map.of(
                "bootstrap.servers", broker.bootstrapServers(),
                "group.id", "the-applications-own",
                "group.protocol", "consumer",
                "max.poll.interval.ms", "1000",
                "key.deserializer", "no.such.Deserializer",
                "value.serializer", "no.such.Serializer",
                "linger.ms", 60_000,
                "delivery.timeout.ms", 120_000,
                "unknown.object", new Object());
        try (TestMember member = TestMember.startLeader(group, name, builder -> builder.kafka(kafka))) {
            eventually().until(() -> member.neli.snapshot().groupMembers() == 1);
            member.awaitNoProblem();
        }
    }
}
