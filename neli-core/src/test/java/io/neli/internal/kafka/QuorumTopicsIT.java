package io.neli.internal.kafka;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.TestServers;
import io.neli.internal.election.LogId;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The topics of the logs on three brokers, and faults of one of them. */
@Timeout(300)
class QuorumTopicsIT {

    private static final int PARTITIONS = 3;

    /** Not exact: the clients' default timeouts are 30 s and more. */
    private static final Duration TRY_LIMIT = Duration.ofSeconds(25);

    private static Brokers cluster;

    private final KafkaSettings settings = Settings.withQuorum(
            Settings.of(
                    Map.of("bootstrap.servers", cluster.bootstrapServers()),
                    TestServers.unusedName("quorum"),
                    "member"),
            PARTITIONS,
            3);
    private final String second = settings.shell().topic(1);

    @BeforeAll
    static void begin() {
        cluster = Brokers.start(3);
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    private List<LogId> logsOf(int... numbers) {
        return IntStream.of(numbers)
                .boxed()
                .flatMap(number -> settings.shell().logsOf(number).stream())
                .toList();
    }

    private void assertOnDifferentBrokers() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Set<Integer> brokers = new HashSet<>();
            for (String topic : settings.shell().topics()) {
                brokers.addAll(cluster.replicas(topic).get(partition));
            }
            assertThat(brokers).as("brokers of partition %d", partition).hasSize(3);
        }
    }

    @Test
    void members_that_start_together_create_each_partitions_logs_on_different_brokers_with_one_replica_each() {
        List<CompletableFuture<Void>> members = Stream.generate(() -> CompletableFuture.runAsync(this::read))
                .limit(4)
                .toList();
        assertThat(members).allSatisfy(member -> assertThat(member).succeedsWithin(Duration.ofMinutes(3)));
        assertOnDifferentBrokers();
        for (String topic : settings.shell().topics()) {
            assertThat(cluster.replicas(topic))
                    .hasSize(PARTITIONS)
                    .allSatisfy(replicas -> assertThat(replicas).hasSize(1))
                    .as("no other topic has logs there, so this one can be deleted if its broker is gone")
                    .containsOnly(cluster.replicas(topic).get(0));
            assertThat(cluster.config(topic))
                    .containsAllEntriesOf(KafkaSettings.QUORUM_TOPIC)
                    .containsEntry("min.insync.replicas", "1");
        }
    }

    private void read() {
        try (OpenLogs logs = OpenLogs.connect(settings)) {
            logs.awaitReading(settings.shell().logs());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_topic_with_too_few_partitions_is_used_as_far_as_it_goes_and_the_others_completely() throws Exception {
        // The brokers that are left, 0 and then 2, are not in the order in which Kafka itself would choose them.
        cluster.create(settings.shell().topic(), List.of(List.of(0), List.of(1), List.of(1)));
        cluster.create(second, List.of(List.of(1)));
        cluster.create(settings.shell().topic(2), List.of(List.of(2), List.of(2), List.of(0)));
        try (OpenLogs logs = OpenLogs.connect(Settings.withoutCreation(settings))) {
            List<LogId> there = new ArrayList<>(settings.shell().logs());
            there.removeAll(List.of(new LogId(1, 1), new LogId(2, 1)));
            logs.awaitReading(there);
            assertThat(logs.connection.topics.narrow()).hasValueSatisfying(problem -> assertThat(problem.what())
                    .contains("the topic '" + second + "' has only 1, so only these"));
        }
        try (OpenLogs logs = OpenLogs.connect(settings)) {
            logs.awaitReading(settings.shell().logs());
            assertThat(logs.connection.topics.narrow()).isEmpty();
            assertOnDifferentBrokers();
        }
    }

    @Test
    void a_missing_right_to_create_a_log_is_named() {
        RefusingAuthorizer.forbid(ResourceType.TOPIC, second, AclOperation.CREATE);
        assertThatThrownBy(() -> OpenLogs.connect(settings))
                .hasMessageContainingAll("'" + second + "'", "no right to CREATE it", "grant CREATE");
        RefusingAuthorizer.allow(ResourceType.TOPIC, second);
        read();
    }

    @ParameterizedTest
    @CsvSource({"flush.messages, 2", "retention.ms, 86400000", "retention.bytes, 67108863"})
    void a_log_that_may_lose_what_was_read_is_refused_until_it_is_changed(String setting, String value)
            throws Exception {
        Map<String, String> config = new HashMap<>(KafkaSettings.QUORUM_TOPIC);
        config.put(setting, value);
        cluster.create(second, List.of(List.of(1), List.of(2), List.of(0)), config);
        try (OpenLogs logs = OpenLogs.connect(settings)) {
            assertThat(logs.awaitFailure(1))
                    .contains("(log topic '" + second + "'): its " + setting + " is '" + value + "'")
                    .contains("for topic in "
                            + String.join(" ", settings.shell().topics()) + "; do kafka-configs.sh --boot")
                    .endsWith(" --alter --entity-type topics --entity-name $topic --add-config flush.messages=1,"
                            + "retention.bytes=67108864,retention.ms=-1,segment.bytes=8388608; done");
            logs.awaitReading(logsOf(0, 2));
            cluster.configure(second, Map.of(setting, KafkaSettings.QUORUM_TOPIC.get(setting)));
            logs.awaitRecords(settings.shell().logs());
        }
    }

    /** The runbook for a broker that is lost for good. */
    @Test
    void a_topic_that_is_deleted_under_a_connection_concerns_its_logs_only_and_is_created_again() throws Exception {
        try (OpenLogs logs = OpenLogs.connect(settings)) {
            logs.awaitReading(settings.shell().logs());
            Uuid former = cluster.describe(second).topicId();
            int before = logs.opened.size();
            cluster.delete(second);
            logs.awaitFailure(1);
            logs.awaitRecords(logsOf(0, 2));
            logs.awaitRecords(settings.shell().logs());

            List<Map.Entry<LogId, Long>> again = logs.opened.subList(before, logs.opened.size());
            assertThat(again).as("opened again").extracting(Map.Entry::getKey).hasSameElementsAs(logsOf(1));
            assertThat(again).allSatisfy(opened -> assertThat(opened.getValue()).isZero());
            assertThat(cluster.describe(second).topicId()).isNotEqualTo(former);
            assertOnDifferentBrokers();
        }
    }

    @Test
    void a_connection_ends_if_its_writer_does_not_see_that_a_topic_was_created_again() throws Exception {
        KafkaSettings quick = Settings.withLease(settings, Duration.ofSeconds(1));
        ControlledClients clients = new ControlledClients(quick);
        try (OpenLogs logs = OpenLogs.connectOnce(quick, clients)) {
            logs.awaitReading(settings.shell().logs());
            clients.forget(second);
            cluster.delete(second);

            assertThatThrownBy(() -> eventually().until(() -> {
                        logs.step();
                        return false;
                    }))
                    .isInstanceOf(Logs.ConnectAgain.class)
                    .hasMessageContaining(second);
        }
    }

    @Test
    void a_topic_that_was_created_again_in_the_wrong_place_is_not_used() throws Exception {
        try (OpenLogs logs = OpenLogs.connect(Settings.withoutCreation(created()))) {
            logs.awaitReading(settings.shell().logs());
            cluster.delete(settings.shell().topic());
            cluster.create(settings.shell().topic(), List.of(List.of(1), List.of(2), List.of(0)));
            eventually().until(() -> logs.awaitFailure(0).contains("is on the same broker, 1"));
            logs.awaitReading(logsOf(1, 2));

            cluster.delete(settings.shell().topic());
            cluster.create(settings.shell().topic(), List.of(List.of(0), List.of(0), List.of(0)));
            logs.awaitRecords(settings.shell().logs());
        }
    }

    /** One topic is no majority: the next connection looks for all of them. */
    @Test
    void a_connection_that_has_lost_two_topics_of_three_has_failed() throws Exception {
        try (OpenLogs logs = OpenLogs.connect(Settings.withoutCreation(created()))) {
            logs.awaitReading(settings.shell().logs());
            cluster.delete(second);
            logs.awaitFailure(1);
            cluster.delete(settings.shell().topic());
            assertThatThrownBy(() -> logs.awaitFailure(0))
                    .isInstanceOf(UnusableLogException.class)
                    .hasMessageContaining("it is gone");
        }
    }

    private KafkaSettings created() throws InterruptedException {
        OpenLogs.connect(settings).close();
        settings.shell().topics().forEach(cluster::awaitTopic);
        return settings;
    }

    /** Like a broker whose process is frozen: connections are accepted, but nothing is answered. */
    @Tag("proof")
    @Test
    void a_member_starts_while_the_first_broker_that_it_is_told_of_is_frozen() throws Exception {
        created();
        try (ServerSocket frozen = new ServerSocket(0, 100, InetAddress.getByName("localhost"))) {
            String others = "localhost:" + frozen.getLocalPort() + "," + cluster.bootstrapServers();
            for (int starts = 0; starts < 4; starts++) { // each client chooses its first broker at random
                KafkaSettings told = new KafkaSettings(
                        Map.of("bootstrap.servers", others), settings.shell(), true, null, settings.retention());
                OpenLogs.connect(told, TRY_LIMIT).close();
            }
        }
    }
}
