package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.internal.kafka.Brokers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Leadership on three logs, on three of four brokers. */
@Timeout(600)
class QuorumIT {

    private static Brokers cluster;

    private final String group = TestServers.unusedName("quorum");
    private final List<String> topics = List.of(group + ".neli", group + ".neli.1", group + ".neli.2");

    @BeforeAll
    static void begin() {
        cluster = Brokers.start(4);
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    private static void onThreeLogs(NeliBuilder builder) {
        builder.kafka(Map.of("bootstrap.servers", cluster.bootstrapServers())).quorum(3);
    }

    /** Starts a member that leads and holds all three logs. */
    private TestMember startLeader(String name) {
        TestMember leader = TestMember.startLeader(group, name, QuorumIT::onThreeLogs);
        awaitHeld(leader);
        return leader;
    }

    private static List<NeliSnapshot.Log> logs(TestMember member) {
        return member.neli.snapshot().partitions().get(0).logs();
    }

    private static void awaitHeld(TestMember leader) {
        eventually().untilAsserted(() -> assertThat(logs(leader)).hasSize(3).allSatisfy(log -> {
            assertThat(log.readable()).isTrue();
            assertThat(log.held()).isTrue();
            assertThat(log.holder()).contains(leader.name);
        }));
    }

    private int brokerOf(int log) {
        return cluster.replicas(topics.get(log)).get(0).get(0);
    }

    private void awaitLost(TestMember member, int log) {
        eventually().untilAsserted(() -> {
            NeliSnapshot snapshot = member.neli.snapshot();
            assertThat(snapshot.problem())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("neli.quorum is '3'", topics.get(log)));
            assertThat(snapshot.status()).isEqualTo(NeliSnapshot.Status.RUNNING);
            NeliSnapshot.Log lost = logs(member).get(log);
            assertThat(lost.held()).isFalse();
        });
    }

    private static void assertOnlyAcquired(TestMember leader, long token) {
        assertThat(leader.neli.leadership().orElseThrow().token()).isEqualTo(token);
        assertThat(leader.events.of(LeaderEvent.class)).containsExactly(new LeaderAcquired("default", 0, token));
    }

    @Test
    void a_leader_keeps_leading_without_one_broker_gets_its_log_back_and_hands_over_all_logs() {
        try (TestMember leader = startLeader("leader");
                TestMember standby = TestMember.startStandby(group, "standby", QuorumIT::onThreeLogs)) {
            long token = leader.awaitLead().token();
            int broker = brokerOf(1);
            cluster.shutdown(broker);
            try {
                awaitLost(leader, 1);
                assertOnlyAcquired(leader, token);
                assertLed(standby, "leader still leads");
            } finally {
                cluster.restore(broker);
            }
            awaitHeld(leader);
            leader.awaitNoProblem();
            assertOnlyAcquired(leader, token);
            assertThat(standby.events.of(LeaderEvent.class)).isEmpty();

            leader.neli.close();

            assertThat(standby.awaitLead().token()).isGreaterThan(token);
            awaitHeld(standby);
            assertThat(leader.events.of(LeaderRevoked.class)).hasSize(1);
            assertLed(standby, "leader HANDED_OVER", "standby still leads");
        }
    }

    /** Asserts the history, which can be read even while one log cannot. */
    private static void assertLed(TestMember reader, String... terms) {
        eventually().untilAsserted(() -> assertThat(reader.neli.history(Neli.DEFAULT_ROLE, Duration.ofHours(1)))
                .extracting(
                        term -> term.member() + " " + term.end().map(Enum::name).orElse("still leads"))
                .containsExactly(terms));
    }

    /** The procedure in docs/quorum.md. */
    @Tag("proof")
    @Test
    void a_group_goes_from_one_log_to_three_and_back_by_another_topic() {
        Consumer<NeliBuilder> onOneLog =
                builder -> builder.kafka(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        long first;
        try (TestMember leader = TestMember.startLeader(group, "one-log", onOneLog)) {
            first = leader.awaitLead().token();
        }
        try (TestMember early = TestMember.start(group, "early", QuorumIT::onThreeLogs)) {
            early.awaitProblem(group + ".neli", "replicas");
        }
        long second;
        try (TestMember leader =
                TestMember.startLeader(group, "three-logs", each -> onThreeLogs(each.topic(group + ".logs")))) {
            second = leader.awaitLead().token();
            assertThat(second).isGreaterThan(first);
            assertThat(logs(leader)).hasSize(3);
            leader.awaitNoProblem();
        }
        try (TestMember leader = TestMember.startLeader(group, "one-log-again", onOneLog)) {
            assertThat(leader.awaitLead().token()).isGreaterThan(second);
        }
    }

    /** The runbook in docs/operations.md. */
    @Tag("proof")
    @Test
    void the_log_of_a_broker_that_is_gone_for_good_moves_to_another_under_the_leader() {
        try (TestMember leader = startLeader("leader")) {
            long token = leader.awaitLead().token();
            int gone = brokerOf(2);
            cluster.shutdown(gone);
            try {
                awaitLost(leader, 2);
                cluster.delete(topics.get(2));
                awaitHeld(leader);
                leader.awaitNoProblem();
                assertOnlyAcquired(leader, token);
                assertThat(IntStream.range(0, 3).map(this::brokerOf).boxed())
                        .doesNotContain(gone)
                        .doesNotHaveDuplicates();
            } finally {
                cluster.restore(gone);
            }
        }
    }
}
