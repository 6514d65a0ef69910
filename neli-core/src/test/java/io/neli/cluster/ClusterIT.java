package io.neli.cluster;

import java.time.Duration;

import io.neli.TestServers;
import io.neli.cluster.Line.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three members in processes of their own against a broker in another, all with the settings they come with. Each test
 * can run alone; the order only saves waiting for the consumer group to notice members that were killed.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class ClusterIT {

    /** Longer than a busy machine needs to start a JVM and to settle the group. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(1);

    private static final Duration HEARTBEAT = Duration.ofMillis(500);

    private final ServerProcess broker;
    private final Cluster cluster;
    private final GroupView group;

    ClusterIT(ServerProcess broker) {
        this.broker = broker;
        this.cluster = Cluster.withDefaults(broker, "cluster", broker.address(), "a", "b", "c");
        this.group = TestServers.get().view(broker.address(), cluster.group());
    }

    @AfterEach
    void check_history() {
        cluster.check();
    }

    @AfterAll
    void end() {
        try (cluster;
                group) {
            if (!cluster.latest().isEmpty()) { // a test that runs alone may have a cluster of its own
                cluster.endAndCheck();
            }
        }
    }

    @Test
    @Order(1)
    void a_leader_that_is_terminated_hands_over_when_its_work_has_ended() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();
        leader.workOnFor(Duration.ofMillis(500));
        Line begun = cluster.await(leader, Kind.WORK_BEGUN, 0);

        long terminated = leader.terminate();
        Line acquired = cluster.awaitTakeoverFrom(leader, terminated);
        Line ended = cluster.await(leader, Kind.WORK_ENDED, begun.nanos());
        leader.awaitEnd(Cluster.LIMIT);

        assertThat(ended.nanos()).isGreaterThan(terminated).isLessThan(acquired.nanos());
        assertThat(acquired.number("token")).isGreaterThan(token);
        assertThat(cluster.eventsAfter(terminated))
                .filteredOn(leader::isFrom)
                .extracting(Line::kind)
                .contains(Kind.REVOKED)
                .isSubsetOf(Kind.LEADS_NOT, Kind.REVOKED);
    }

    @Tag("proof")
    @Test
    @Order(2)
    void the_restart_of_a_former_leader_moves_nothing_and_the_group_follows_the_leader() {
        try (Cluster steady = new Cluster(broker, "restart", broker.address(), LONG_LEASE, HEARTBEAT, "a", "b");
                GroupView view = TestServers.get().view(broker.address(), steady.group())) {
            MemberProcess former = steady.complete();
            long terminated = former.terminate();
            Line acquired = steady.awaitTakeoverFrom(former, terminated);
            MemberProcess leader = steady.process(acquired);

            steady.startMissing();
            view.awaitSettled(steady.names(), leader.name());

            assertThat(leader.leads()).isTrue();
            assertThat(steady.latestToken()).isEqualTo(acquired.number("token"));
            assertThat(steady.eventsAfter(acquired.nanos())).noneMatch(leader::isFrom);
            steady.endAndCheck();
        }
    }

    @Test
    @Order(3)
    void a_frozen_leader_is_fenced_before_its_first_instruction() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();

        long stopped = leader.stop();
        Line acquired = cluster.awaitTakeoverFrom(leader, stopped);
        MemberProcess next = cluster.process(acquired);
        Await.elapsed(Cluster.DEFAULT_LEASE.multipliedBy(2).minusNanos(System.nanoTime() - acquired.nanos()));

        long resumed = leader.resume();
        Line fenced = cluster.await(leader, Kind.FENCED, resumed);
        // Nothing in between: what it answered after the signal, it answered with no.
        Line firstNo = cluster.await(leader, Kind.LEADS_NOT, stopped);
        assertThat(firstNo.number("last")).as("last asked with success").isLessThan(resumed);
        assertThat(cluster.timeline()
                        .first(line -> leader.isFrom(line) && line.kind() == Kind.LEADS && line.nanos() > stopped))
                .isEmpty();
        assertThat(fenced.number("token")).isEqualTo(token);
        Await.until(
                "it is a standby that knows who leads",
                Cluster.LIMIT,
                () -> leader.state("state").equals("STANDBY")
                        && leader.state("leader").equals(next.name()));

        group.awaitSettled(cluster.names(), next.name());
        assertThat(cluster.latestToken()).isEqualTo(acquired.number("token")).isGreaterThan(token);
        assertThat(cluster.eventsAfter(acquired.nanos())).noneMatch(next::isFrom);
    }

    @Test
    @Order(4)
    void the_only_survivor_follows_when_leader_and_standby_are_killed() {
        MemberProcess leader = cluster.complete();
        MemberProcess standby = cluster.alive().stream()
                .filter(member -> member != leader)
                .findFirst()
                .orElseThrow();
        long token = cluster.latestToken();

        long killed = leader.kill();
        standby.kill();
        Line acquired = cluster.awaitTakeoverFrom(leader, killed);

        assertThat(acquired.number("token")).isGreaterThan(token);
    }

    @Tag("proof")
    @Test
    @Order(5)
    void the_only_member_leads_again_after_its_restart() {
        try (Cluster alone = Cluster.withDefaults(broker, "alone", broker.address(), "only")) {
            MemberProcess first = alone.complete();
            long token = alone.latestToken();
            first.kill();
            first.awaitEnd(Cluster.LIMIT);

            MemberProcess second = alone.complete();

            assertThat(second).isNotSameAs(first);
            assertThat(alone.latestToken()).isGreaterThan(token);
            alone.endAndCheck();
        }
    }

    @Tag("proof")
    @Test
    @Order(6)
    void a_frozen_broker_costs_leadership_but_no_restart() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();

        long stopped = System.nanoTime();
        broker.stop();
        Line fenced;
        try {
            fenced = cluster.await(leader, Kind.FENCED, stopped);
        } finally {
            broker.resume();
        }

        assertSomebodyLeadsAgain(leader, token, fenced);
    }

    @Tag("proof")
    @Test
    @Order(7)
    void a_broker_that_is_down_costs_leadership_but_no_restart() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();

        long terminated = System.nanoTime();
        broker.terminate();
        Line fenced = cluster.await(leader, Kind.FENCED, terminated);
        broker.restart();

        assertSomebodyLeadsAgain(leader, token, fenced);
    }

    private void assertSomebodyLeadsAgain(MemberProcess former, long token, Line fenced) {
        assertThat(fenced.number("token")).isEqualTo(token);
        Await.until("somebody leads again", Cluster.LIMIT, () -> cluster.latestToken() > token);
        Line acquired =
                cluster.timeline().last(line -> line.kind() == Kind.ACQUIRED).orElseThrow();
        assertThat(acquired.nanos()).isGreaterThan(fenced.nanos());
        assertThat(cluster.alive()).hasSize(cluster.names().size()).contains(former);
    }
}
