package io.neli.cluster;

import java.time.Duration;

import io.neli.cluster.Line.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Which members are eligible, on members in processes of their own. */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
class EligibilityIT {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Duration.ofMillis(200);

    private final ServerProcess broker;

    EligibilityIT(ServerProcess broker) {
        this.broker = broker;
    }

    private Cluster cluster(String purpose, String... names) {
        return cluster(purpose, LEASE, names);
    }

    private Cluster cluster(String purpose, Duration lease, String... names) {
        return new Cluster(broker, purpose, broker.address(), lease, HEARTBEAT, names);
    }

    private static MemberProcess other(Cluster cluster, MemberProcess than) {
        return cluster.alive().stream()
                .filter(member -> member != than)
                .findFirst()
                .orElseThrow();
    }

    private static void awaitKnown(MemberProcess by, String leader) {
        Await.until(by.label() + " knows that " + leader + " leads", Cluster.LIMIT, () -> by.state("leader")
                .equals(leader));
    }

    @Test
    void a_paused_member_hands_over_and_is_back_when_it_is_resumed() {
        try (Cluster cluster = cluster("pause", Cluster.DEFAULT_LEASE, "a", "b")) {
            MemberProcess first = cluster.complete();
            MemberProcess second = other(cluster, first);
            long paused = System.nanoTime();
            first.pauses();
            Line acquired = cluster.awaitTakeoverFrom(first, paused);
            Line revoked = cluster.await(first, Kind.REVOKED, paused);
            assertThat(revoked.text("reason")).isEqualTo("PAUSED");
            assertThat(cluster.process(acquired)).isSameAs(second);

            long killed = second.kill();
            second.awaitEnd(Cluster.LIMIT);
            Await.elapsed(cluster.lease().multipliedBy(2)); // it would have taken over by now
            assertThat(cluster.eventsAfter(killed)).noneMatch(line -> line.kind() == Kind.ACQUIRED);

            long resumed = System.nanoTime();
            first.resumes();
            cluster.await(first, Kind.ACQUIRED, resumed);
            cluster.endAndCheck();
        }
    }

    @Test
    void a_member_that_resigns_is_eligible_again_after_the_cooldown() {
        try (Cluster cluster = cluster("resign", "a", "b")) {
            MemberProcess first = cluster.complete();
            long resigned = System.nanoTime();
            Duration cooldown = LEASE.multipliedBy(5);
            first.resigns(cooldown);
            Line acquired = cluster.awaitTakeoverFrom(first, resigned);
            cluster.process(acquired).kill();

            Line again = cluster.await(first, Kind.ACQUIRED, resigned);
            assertThat(again.nanos() - resigned).isGreaterThan(cooldown.toNanos());
            cluster.endAndCheck();
        }
    }

    @Test
    void an_observer_knows_who_leads_and_never_leads() {
        try (Cluster cluster = cluster("observer", "a", "watcher")) {
            MemberProcess watcher = cluster.start("watcher", "candidate=false");
            MemberProcess leader = cluster.start("a");
            awaitKnown(watcher, "a");
            long killed = leader.kill();
            leader.awaitEnd(Cluster.LIMIT);
            awaitKnown(watcher, "-");
            Await.elapsed(LEASE.multipliedBy(3));

            assertThat(cluster.eventsAfter(killed)).noneMatch(watcher::isFrom);
            cluster.start("a");
            awaitKnown(watcher, "a");
            cluster.endAndCheck();
        }
    }

    @Test
    void a_stuck_leader_loses_leadership_and_does_not_lead_again_while_its_work_hangs() {
        try (Cluster cluster = cluster("stuck", "a", "b").with("limit=1000", "handover=1000")) {
            MemberProcess stuck = cluster.complete();
            MemberProcess next = other(cluster, stuck);
            long asked = System.nanoTime();
            stuck.hangFor(Duration.ofSeconds(12));
            Line begun = cluster.await(stuck, Kind.WORK_BEGUN, asked);
            Line acquired = cluster.awaitTakeoverFrom(stuck, begun.nanos());
            assertThat(cluster.process(acquired)).isSameAs(next);
            cluster.await(stuck, Kind.FENCED, begun.nanos());
            cluster.takeovers().add("stuck for longer than a second, draining for another", begun.nanos(), acquired);

            next.kill(); // nobody else is left
            Line ended = cluster.await(stuck, Kind.WORK_ENDED, begun.nanos());
            Line again = cluster.await(stuck, Kind.ACQUIRED, begun.nanos());
            assertThat(again.nanos()).isGreaterThan(ended.nanos());
            cluster.endAndCheck();
        }
    }

    @Test
    void a_member_fenced_twice_in_a_row_leaves_the_others_their_turn() {
        Duration lease = Duration.ofSeconds(2);
        try (Cluster cluster = cluster("fenced", lease, "a", "b")) {
            MemberProcess leader = cluster.complete();
            MemberProcess other = other(cluster, leader);
            Await.until("the group knows both", Cluster.LIMIT, () -> leader.state("group")
                    .equals("2"));
            other.stop(); // it is eligible, as far as the group knows
            Line first = fence(cluster, leader);
            Line second = cluster.await(leader, Kind.ACQUIRED, first.nanos());
            Line fenced = fence(cluster, leader);
            Line again = cluster.await(leader, Kind.ACQUIRED, fenced.nanos());

            // It waits 0.6 of a lease from the fence on, which came after the last true answer.
            Line lost = cluster.await(leader, Kind.LEADS_NOT, second.nanos());
            if (again.number("group") == 2) { // a slow machine: the broker has not waited for the stopped one so long
                assertThat(again.nanos() - lost.number("last")).isGreaterThan(lease.toNanos() / 4);
            }
            cluster.endAndCheck();
        }
    }

    /** The broker is frozen until the leader's lease is over. */
    private Line fence(Cluster cluster, MemberProcess leader) {
        long stopped = System.nanoTime();
        broker.stop();
        try {
            return cluster.await(leader, Kind.FENCED, stopped);
        } finally {
            broker.resume();
        }
    }
}
