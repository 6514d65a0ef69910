package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.neli.nats.NatsCluster;
import io.neli.nats.NatsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Three servers, a stream with three replicas, and three members: one of the servers crashes. */
@Tag("proof")
class NatsClusterIT {

    /** Longer than servers need until all of them do their work again, on whatever machine. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(1);

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
        eventually().until(() -> leader() != null);
        members.forEach(
                member -> eventually().until(() -> member.neli.snapshot().groupMembers() == 3));
        return new LeaderWatch(members.toArray(TestMember[]::new));
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

            for (String name : cluster.names()) { // one of them leads the stream, and one the servers
                cluster.awaitComplete(group);
                NatsServer crashed = cluster.server(name);
                crashed.kill();
                eventually().until(() -> cluster.leader().isPresent());
                members.forEach(TestMember::awaitRunning); // also those that were connected to it
                crashed.restart();
                cluster.awaitComplete(group);
                members.forEach(TestMember::awaitNoProblem);
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
            long token = leader().awaitLead().token();
            NatsServer crashed =
                    cluster.server(cluster.stream(group).getClusterInfo().getLeader());

            crashed.kill();

            eventually().until(() -> cluster.leader().isPresent());
            members.forEach(TestMember::awaitNoProblem);
            AtomicReference<TestMember> leader = new AtomicReference<>();
            eventually().until(() -> {
                leader.set(leader());
                return leader.get() != null;
            });
            assertThat(leader.get().neli.leader().orElseThrow().token()).isGreaterThanOrEqualTo(token);
            assertHandsOver(leader.get());
            watch.assertNeverTwo();
        }
    }

    /** What the members write and read is the stream of now. */
    private void assertHandsOver(TestMember leader) {
        long token = leader.neli.leader().orElseThrow().token();
        leader.neli.resign(Duration.ofSeconds(1));
        eventually().until(() -> members.stream().anyMatch(member -> member.neli
                .leadership()
                .filter(term -> term.token() > token)
                .isPresent()));
    }
}
