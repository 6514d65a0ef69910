package io.neli.cluster;

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
 * Three members and a broker, each in its own process, all with default settings. Each test can run alone; the order
 * only avoids waits for the consumer group to notice killed members.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class ClusterIT {

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
            if (!cluster.latest().isEmpty()) { // a test that runs alone may have its own cluster
                cluster.endAndCheck();
            }
        }
    }

    @Test
    @Order(1)
    void a_leader_that_is_terminated_hands_over_when_its_work_has_ended() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();
        leader.say("work 500"); // milliseconds after it ceases to lead
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

    @Test
    @Order(2)
    void a_frozen_leader_is_fenced_before_its_first_instruction() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();

        long stopped = leader.stop();
        Line acquired = cluster.awaitTakeoverFrom(leader, stopped);
        MemberProcess next = cluster.process(acquired);
        Await.elapsed(Cluster.DEFAULT_LEASE.multipliedBy(2).minusNanos(System.nanoTime() - acquired.nanos()));

        long resumed = leader.resume();
        Line fenced = cluster.await(leader, Kind.FENCED, resumed);
        // Whatever it answered after the signal was no.
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
    @Order(3)
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
    @Order(4)
    void a_broker_that_is_down_costs_leadership_but_no_restart() {
        MemberProcess leader = cluster.complete();
        long token = cluster.latestToken();

        long terminated = System.nanoTime();
        broker.terminate();
        Line fenced = cluster.await(leader, Kind.FENCED, terminated);
        broker.restart();

        assertThat(fenced.number("token")).isEqualTo(token);
        Await.until("somebody leads again", Cluster.LIMIT, () -> cluster.latestToken() > token);
        Line acquired =
                cluster.timeline().last(line -> line.kind() == Kind.ACQUIRED).orElseThrow();
        assertThat(acquired.nanos()).isGreaterThan(fenced.nanos());
        assertThat(cluster.alive()).hasSize(cluster.names().size()).contains(leader);
    }
}
