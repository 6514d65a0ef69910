package io.neli.cluster;

import java.util.List;

import io.neli.TestServers;
import io.neli.cluster.Line.Kind;
import io.neli.harness.Link;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Work that must not stop: in non-exclusive mode, which may duplicate it, with several groups side by side on one
 * topic, and without the group coordinator.
 */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
class ContinuousIT {

    private final ServerProcess broker;

    ContinuousIT(ServerProcess broker) {
        this.broker = broker;
    }

    private static List<Leading> spans(Cluster cluster, String role) {
        return Coverage.spans(role, cluster.timeline().all());
    }

    /** Waits until the leader was asked after this instant: nothing else shows that it led until then. */
    private static void awaitAsked(Cluster cluster, String role, long after) {
        Await.until("somebody leads " + role, Cluster.LIMIT, () -> cluster.timeline().all().stream()
                .anyMatch(line -> line.kind() == Kind.STILL_LEADS && line.role().equals(role) && line.nanos() > after));
    }

    /**
     * Each group's leader bridges the crash of another group's. With two groups, at least one leads at any time; with
     * three, two.
     */
    @Test
    void of_three_groups_on_one_topic_at_least_two_lead_at_any_time_through_single_crashes() {
        try (Cluster first = group("first");
                Cluster second = group("second");
                Cluster third = group("third")) {
            List<Cluster> groups = List.of(first, second, third);
            groups.forEach(Cluster::startMissing);
            groups.forEach(Cluster::awaitLeader);
            long from = System.nanoTime();
            for (Cluster group : groups) {
                MemberProcess leader = group.complete();
                group.awaitTakeoverFrom(leader, leader.kill());
                group.complete();
            }
            long to = System.nanoTime();
            groups.forEach(group -> awaitAsked(group, "default", to));
            groups.forEach(Cluster::endProcesses);

            assertThat(coverage(groups).longestWithFewerThan(2, from, to))
                    .as("nanoseconds with fewer than two leaders")
                    .isZero();
            assertThat(coverage(List.of(first, second)).longestWithFewerThan(1, from, to))
                    .as("nanoseconds without a leader of the first two groups")
                    .isZero();
        }
    }

    private static Coverage coverage(List<Cluster> groups) {
        return new Coverage(groups.stream()
                .flatMap(group -> spans(group, "default").stream())
                .toList());
    }

    private Cluster group(String name) {
        return Cluster.withDefaults(broker, "continuous-" + name, broker.address(), "a", "b")
                .with("mode=NON_EXCLUSIVE", "topic=continuous");
    }

    @Test
    void a_newcomer_takes_its_share_without_a_gap() {
        try (Cluster cluster = Cluster.withDefaults(broker, "share", broker.address(), "a", "b")
                .with("mode=NON_EXCLUSIVE", "partitions=2", "roles=x,y")) {
            MemberProcess first = cluster.start("a");
            Await.until(
                    "a leads both",
                    Cluster.LIMIT,
                    () -> spans(cluster, "x").size() == 1 && spans(cluster, "y").size() == 1);
            long from = System.nanoTime();
            MemberProcess second = cluster.start("b");
            Line acquired = cluster.await(second, Kind.ACQUIRED, from);
            Line revoked = cluster.await(first, Kind.REVOKED, from);
            long to = System.nanoTime();
            awaitAsked(cluster, acquired.role(), to);
            cluster.endProcesses();

            assertThat(revoked.text("reason")).isEqualTo("SUPERSEDED");
            assertThat(revoked.role()).isEqualTo(acquired.role());
            Coverage coverage = new Coverage(spans(cluster, acquired.role()));
            assertThat(coverage.longestWithFewerThan(1, from, to)).isZero();
            assertThat(coverage.longestOverlap()).isPositive().isLessThanOrEqualTo(Cluster.DEFAULT_LEASE.toNanos());
        }
    }

    /** The group only says who should lead; nothing waits for it. */
    @Tag(TestServers.KAFKA)
    @Test
    void leading_and_taking_over_go_on_while_the_group_coordinator_is_out_of_reach(BrokerProcess kafka) {
        Link link = kafka.link(0);
        try (Cluster cluster = Cluster.withDefaults(kafka, "coordinator", link.address(), "a", "b", "c");
                ConsumerGroupView group = new ConsumerGroupView(kafka.address(), cluster.group())) {
            MemberProcess leader = cluster.complete();
            group.awaitSettled(cluster.names(), leader.name());

            long cutOff = System.nanoTime();
            link.cutCoordinator();
            try {
                Await.until("the coordinator removes all", Cluster.LIMIT, () -> group.clientIds()
                        .isEmpty());
                assertThat(leader.leads()).isTrue();
                assertThat(cluster.eventsAfter(cutOff)).isEmpty();

                cluster.awaitTakeoverFrom(leader, leader.kill());
                cluster.startMissing();
            } finally {
                link.pass();
            }

            Line acquired = cluster.timeline()
                    .last(line -> line.kind() == Kind.ACQUIRED)
                    .orElseThrow();
            MemberProcess next = cluster.process(acquired);
            group.awaitSettled(cluster.names(), next.name());
            assertThat(cluster.eventsAfter(acquired.nanos())).noneMatch(next::isFrom);
            cluster.endAndCheck();
        }
    }
}
