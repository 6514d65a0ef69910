package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.neli.NeliSnapshot.Status;
import io.neli.nats.NatsCluster;
import io.neli.nats.NatsServer;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** One of three servers crashes, under a stream with three replicas and three members. */
@Needs(Program.NATS_SERVER)
@Tag("proof")
class NatsClusterIT {

    /** Servers that lost a leader twice in a row can need more than half a minute. */
    private static final Duration SERVERS_LIMIT = Duration.ofMinutes(2);

    /** Longer than the servers need until all of them work again. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(8);

    private final String group = TestServers.unusedName("nats-cluster");
    private final List<TestMember> members = new ArrayList<>();
    private NatsCluster cluster;

    @BeforeEach
    void start() {
        cluster = NatsCluster.start(3);
    }

    @AfterEach
    void end() {
        members.forEach(TestMember::close);
        if (cluster != null) {
            cluster.close();
        }
    }

    private LeaderWatch startMembers(Consumer<NeliBuilder> more) {
        for (String name : List.of("a", "b", "c")) {
            TestMember member = TestMember.of(cluster.urls(), group, name, more);
            member.neli.start();
            members.add(member);
        }
        soon().until(() -> leader() != null);
        awaitAll(snapshot -> snapshot.groupMembers() == 3);
        return new LeaderWatch(members.toArray(TestMember[]::new));
    }

    private static ConditionFactory soon() {
        return eventually().atMost(SERVERS_LIMIT);
    }

    private void awaitAll(Predicate<NeliSnapshot> condition) {
        members.forEach(member -> soon().until(() -> condition.test(member.neli.snapshot())));
    }

    private TestMember leader() {
        return members.stream()
                .filter(member -> member.neli.isLeader())
                .findFirst()
                .orElse(null);
    }

    @Test
    void a_lease_longer_than_the_servers_need_outlasts_the_crash_of_each_of_them() {
        try (LeaderWatch watch = startMembers(builder -> builder.leaseDuration(LONG_LEASE))) {
            assertThat(cluster.stream(group).getConfiguration().getReplicas()).isEqualTo(3);
            TestMember leader = leader();
            long token = leader.awaitLead().token();

            for (String name : cluster.names()) { // one leads the stream, and one leads the servers
                cluster.awaitComplete(group);
                NatsServer crashed = cluster.server(name);
                crashed.kill();
                awaitLeaderOtherThan(name);
                awaitAll(snapshot -> snapshot.status() == Status.RUNNING); // even those that were connected to it
                crashed.restart();
                cluster.awaitComplete(group);
                awaitAll(snapshot -> snapshot.problem().isEmpty());
            }

            assertThat(leader.events.all()).hasSize(1);
            assertThat(leader.neli.leadership())
                    .hasValueSatisfying(term -> assertThat(term.token()).isEqualTo(token));
            assertHandsOver(leader);
            watch.assertNeverTwo();
        }
    }

    @Test
    void after_the_crash_of_the_server_that_leads_the_stream_somebody_leads_again() {
        try (LeaderWatch watch = startMembers(builder -> {})) {
            cluster.awaitComplete(group);
            long token = awaitToken(members.get(0));
            String crashed = cluster.stream(group).getClusterInfo().getLeader();

            cluster.server(crashed).kill();

            awaitLeaderOtherThan(crashed);
            awaitAll(snapshot -> snapshot.problem().isEmpty());
            TestMember leader = soon().until(this::leader, Objects::nonNull);
            assertThat(awaitToken(leader)).isGreaterThanOrEqualTo(token);
            assertHandsOver(leader);
            watch.assertNeverTwo();
        }
    }

    /** Until the other servers notice the crash, they name the crashed one as leader. */
    private void awaitLeaderOtherThan(String crashed) {
        soon().until(() ->
                cluster.leader().filter(leader -> !leader.equals(crashed)).isPresent());
    }

    /** The token of the current leader, as seen by {@code member}. */
    private static long awaitToken(TestMember member) {
        return soon().until(member.neli::leader, Optional::isPresent)
                .orElseThrow()
                .token();
    }

    /** Shows that the members write and read the current stream. */
    private void assertHandsOver(TestMember leader) {
        long token = awaitToken(leader);
        leader.neli.resign(Duration.ofSeconds(1));
        soon().until(() -> members.stream().anyMatch(member -> member.neli
                .leadership()
                .filter(term -> term.token() > token)
                .isPresent()));
    }
}
