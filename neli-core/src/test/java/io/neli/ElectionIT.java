package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.kafka.Brokers;
import io.neli.internal.kafka.RefusingAuthorizer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class ElectionIT {

    private final String group = TestServers.unusedName("election");

    @Tag(TestServers.KAFKA)
    @Test
    void a_missing_topic_is_created_so_that_it_keeps_what_it_must_and_no_more() {
        try (TestMember member = TestMember.startLeader(group, "one", builder -> builder.partitions(3))) {
            String topic = member.neli.snapshot().topic();
            assertThat(Brokers.shared().describe(topic).partitions()).hasSize(3);
            assertThat(Brokers.shared().config(topic))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "cleanup.policy", "delete",
                            "retention.ms", "86400000",
                            "segment.ms", "3600000",
                            "message.timestamp.type", "LogAppendTime",
                            "unclean.leader.election.enable", "false"));
            member.awaitWork().close(); // jobs would begin then
            assertThat(Brokers.shared().exists(topic + ".runs")).isFalse();
        }
    }

    @Test
    void a_second_instance_follows_until_the_first_hands_over_and_all_are_told_who_leads() {
        try (TestMember first = TestMember.startLeader(
                        group, "first", LASTING.andThen(builder -> builder.metadata(Map.of("url", "http://first"))));
                TestMember second = TestMember.startStandby(group, "second", LASTING);
                TestMember observer = TestMember.startStandby(
                        group, "observer", LASTING.andThen(builder -> builder.candidate(false)));
                LeaderWatch watch = new LeaderWatch(first, second)) {
            Leadership term = first.awaitLead();
            Leader known = new Leader(Neli.DEFAULT_ROLE, "first", term.token(), false, Map.of("url", "http://first"));

            assertThat(second.neli.isLeader()).isFalse();
            assertThat(second.neli.leadership()).isEmpty();
            assertThat(second.neli.beginWork()).isEmpty();
            assertThat(second.neli.leader()).contains(known);
            // By then, a rebalance has ended and moved nothing.
            eventually().until(() -> second.neli.snapshot().groupMembers() == 3);
            assertThat(second.events.all()).isEmpty();

            first.neli.close();

            assertThat(second.awaitLead().token()).isGreaterThan(term.token());
            assertThat(term.isValid()).isFalse();
            assertThat(first.neli.isLeader()).isFalse();
            assertThat(first.events.all())
                    .containsExactly(
                            new LeaderAcquired(Neli.DEFAULT_ROLE, 0, term.token()),
                            new LeaderRevoked(Neli.DEFAULT_ROLE, 0, term.token(), RevokeReason.CLOSING));
            second.awaitEvent(LeaderAcquired.class);
            second.events.assertOnThread("neli-second-events");
            eventually().untilAsserted(() -> {
                Leadership next = second.awaitLead();
                assertThat(second.events.leaders())
                        .containsExactly(Optional.of(known), Optional.empty(), second.neli.leader());
                // It may read the end of the first term together with the next term.
                assertThat(observer.events.leaders().stream().filter(Optional::isPresent))
                        .containsExactly(Optional.of(known), observer.neli.leader());
                assertThat(observer.neli.leader().orElseThrow().token()).isEqualTo(next.token());
            });
            assertThat(observer.events.all()).isEmpty();
            watch.assertNeverTwo();
        }
    }

    @Test
    void a_member_of_higher_priority_takes_over_by_a_handover_and_gives_back_when_it_leaves() {
        try (TestMember ordinary = TestMember.startLeader(group, "ordinary");
                TestMember preferred = TestMember.start(group, "preferred", builder -> builder.priority(10))) {
            long token = preferred.awaitLead().token();
            assertThat(ordinary.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.HANDOVER);

            preferred.neli.close();

            eventually().until(ordinary.neli::isLeader);
            assertThat(ordinary.awaitLead().token()).isGreaterThan(token);
            for (TestMember member : List.of(ordinary, preferred)) {
                // If the machine stalled for longer than the lease, the lease may have expired.
                assertThat(member.events.of(LeaderFenced.class))
                        .allMatch(fenced -> fenced.reason() == FenceReason.LEASE_EXPIRED);
            }
        }
    }

    /**
     * Work continues for at most a lease, which is long here. The group counts on the second member, because that leads
     * one of the roles. At first, it cannot write to the log, so that it does not lead the other role too early. A
     * claim that was refused meanwhile is repeated after a lease.
     */
    @Tag(TestServers.KAFKA)
    @Tag("proof")
    @Test
    void non_exclusive_work_goes_on_after_a_close_until_the_next_leader_is_there() throws InterruptedException {
        Consumer<NeliBuilder> patient = builder -> builder.mode(Mode.NON_EXCLUSIVE)
                .leaseDuration(Duration.ofSeconds(10))
                .partitions(2)
                .roles("a", "b");
        String next = group + "-next";
        try (TestMember first = TestMember.startLeader(group, "first", patient);
                TestMember second = TestMember.startStandby(group, next, patient)) {
            String its =
                    eventually().until(second::ledRoles, led -> !led.isEmpty()).get(0);
            String role = its.equals("a") ? "b" : "a";
            RefusingAuthorizer.forbidWriting("neli-" + next);
            AtomicBoolean closed = new AtomicBoolean();
            AtomicInteger callsAfterClose = new AtomicInteger();
            first.neli.background(role, leadership -> {
                if (closed.get()) {
                    callsAfterClose.incrementAndGet();
                } else {
                    first.neli.close();
                    closed.set(true);
                }
            });
            eventually().until(() -> callsAfterClose.get() > 0);
            assertThat(second.neli.isLeader(role)).isFalse();

            RefusingAuthorizer.allowWriting("neli-" + next);

            assertThat(second.neli.awaitLeadership(role, PATIENCE)).isPresent();
            eventually().until(() -> first.events.of(role).stream()
                    .anyMatch(event ->
                            event instanceof LeaderRevoked revoked && revoked.reason() == RevokeReason.CLOSING));
        }
    }

    @Test
    void a_close_that_is_interrupted_waits_for_work_all_the_same() throws InterruptedException {
        try (TestMember member = TestMember.startLeader(group, "member", LASTING)) {
            LeaderWork work = member.awaitWork();
            Thread closer = new Thread(member.neli::close);
            closer.start();
            member.awaitEvent(LeaderRevoked.class);
            eventually().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
            closer.interrupt();
            closer.join(500);
            assertThat(closer.isAlive()).isTrue();
            work.close();
            closer.join(PATIENCE.toMillis());
            assertThat(closer.isAlive()).isFalse();
        }
    }

    @Test
    void a_snapshot_shows_what_a_member_knows() {
        TestMember member = TestMember.of(group, "seen", LASTING.andThen(builder -> builder.topic(group + "-leads")
                .metadata(Map.of("url", "http://seen:8080"))));
        assertThat(member.neli.snapshot())
                .isEqualTo(new NeliSnapshot(
                        "seen",
                        group,
                        group + "-leads",
                        NeliSnapshot.Status.STOPPED,
                        Optional.empty(),
                        false,
                        false,
                        0,
                        List.of(new NeliSnapshot.Partition(
                                0,
                                List.of(Neli.DEFAULT_ROLE),
                                NeliSnapshot.Partition.State.STANDBY,
                                false,
                                Optional.empty(),
                                Map.of(),
                                Optional.empty(),
                                false,
                                Duration.ZERO,
                                Duration.ZERO,
                                Duration.ZERO,
                                Optional.empty(),
                                List.of(new NeliSnapshot.Log(group + "-leads", false, false, Optional.empty())))),
                        List.of()));

        member.neli.start();
        Leadership term = member.awaitLead();
        long token = term.token();
        assertThat(term.role()).isEqualTo(Neli.DEFAULT_ROLE);
        assertThat(term.since()).isBeforeOrEqualTo(Instant.now());
        assertThat(member.neli.leader())
                .contains(new Leader(Neli.DEFAULT_ROLE, "seen", token, true, Map.of("url", "http://seen:8080")));
        eventually().untilAsserted(() -> {
            NeliSnapshot snapshot = member.neli.snapshot();
            assertThat(snapshot.status()).isEqualTo(NeliSnapshot.Status.RUNNING);
            assertThat(snapshot.problem()).isEmpty();
            assertThat(snapshot.eligible()).isTrue();
            assertThat(snapshot.groupMembers()).isEqualTo(1);
            NeliSnapshot.Partition led = snapshot.partitions().get(0);
            assertThat(snapshot.partitions())
                    .containsExactly(new NeliSnapshot.Partition(
                            0,
                            List.of(Neli.DEFAULT_ROLE),
                            NeliSnapshot.Partition.State.LEADING,
                            true,
                            Optional.of("seen"),
                            Map.of("url", "http://seen:8080"),
                            Optional.of(token),
                            true,
                            led.leadingFor(),
                            Duration.ZERO,
                            led.leaseLeft(),
                            Optional.of("seen"),
                            List.of(new NeliSnapshot.Log(group + "-leads", true, true, Optional.of("seen")))));
            assertThat(led.leadingFor()).isPositive();
            assertThat(led.leaseLeft()).isPositive().isLessThanOrEqualTo(TestMember.LONG_LEASE);
        });

        member.close();
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        assertThat(member.neli.leader()).isEmpty();
    }
}
