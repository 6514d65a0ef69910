package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.kafka.TestBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ElectionIT {

    private final String group = TestServers.unusedName("election");

    @Test
    void a_single_instance_with_default_timing_leads() throws InterruptedException {
        EventRecorder events = new EventRecorder();
        long start = System.nanoTime();
        TestServers servers = TestServers.get();
        try (Neli neli = servers.builder(servers.shared())
                .groupId(group)
                .name("one")
                .listener(events)
                .start()) {
            Optional<Leadership> term = neli.awaitLeadership(PATIENCE);
            System.out.printf("From start to lead: %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));

            assertThat(term).isPresent();
            // A machine that stalls for longer than the default lease ends the term, and another one follows.
            eventually().untilAsserted(() -> assertThat(neli.leadership()).hasValueSatisfying(led -> {
                assertThat(led.token()).isNotNegative();
                assertThat(led.role()).isEqualTo(Neli.DEFAULT_ROLE);
                assertThat(led.since()).isBeforeOrEqualTo(Instant.now());
                assertThat(led.isValid()).isTrue();
                assertThat(neli.isLeader()).isTrue();
                assertThat(neli.leader()).contains(new Leader(Neli.DEFAULT_ROLE, "one", led.token(), true, Map.of()));
                assertThat(events.all()).last().isEqualTo(new LeaderAcquired(Neli.DEFAULT_ROLE, 0, led.token()));
            }));
            assertThat(events.of(LeaderRevoked.class)).isEmpty();
            assertThat(events.of(LeaderFenced.class))
                    .hasSizeLessThan(2)
                    .allMatch(fenced -> fenced.reason() == FenceReason.LEASE_EXPIRED);
        }
        events.assertLegal();
        events.assertOnThread("neli-one-events");
    }

    @Tag(TestServers.KAFKA)
    @Test
    void a_missing_topic_is_created_so_that_it_keeps_what_it_must_and_no_more() {
        try (TestMember member = TestMember.startLeader(group, "one")) {
            assertThat(TestBroker.shared().config(member.neli.snapshot().topic()))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "cleanup.policy", "delete",
                            "retention.ms", "86400000",
                            "segment.ms", "3600000",
                            "message.timestamp.type", "LogAppendTime",
                            "unclean.leader.election.enable", "false"));
        }
    }

    @Test
    void a_second_instance_follows_until_the_first_hands_over() {
        try (TestMember first = TestMember.startLeader(
                        group, "first", LASTING.andThen(builder -> builder.metadata(Map.of("url", "http://first"))));
                TestMember second = TestMember.startStandby(group, "second", LASTING);
                LeaderWatch watch = new LeaderWatch(first, second)) {
            Leadership term = first.awaitLead();

            assertThat(second.neli.isLeader()).isFalse();
            assertThat(second.neli.leadership()).isEmpty();
            assertThat(second.neli.beginWork()).isEmpty();
            assertThat(second.neli.leader())
                    .contains(
                            new Leader(Neli.DEFAULT_ROLE, "first", term.token(), false, Map.of("url", "http://first")));
            // A rebalance has come and gone, and moved nothing.
            eventually().untilAsserted(() -> assertThat(second.neli.snapshot().groupMembers())
                    .isEqualTo(2));
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
            watch.assertNeverTwo();
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
                                "STANDBY",
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
                        Map.of()));

        member.neli.start();
        long token = member.awaitLead().token();
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
                            "LEADING",
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
            assertThat(snapshot.ignoredRecords()).isEmpty();
        });

        member.close();
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        assertThat(member.neli.leader()).isEmpty();
    }

    @Tag("proof")
    @Test
    void an_observer_knows_the_leader_and_is_never_eligible() {
        try (TestMember leader = TestMember.startLeader(group, "leader");
                TestMember observer = TestMember.startStandby(group, "observer", builder -> builder.candidate(false))) {
            eventually().untilAsserted(() -> assertThat(observer.neli.snapshot().groupMembers())
                    .isEqualTo(2));
            assertThat(observer.neli.snapshot().eligible()).isFalse();

            leader.neli.close();

            eventually().until(() -> observer.neli.leader().isEmpty());
            eventually().untilAsserted(() -> assertThat(observer.neli.snapshot().groupMembers())
                    .isEqualTo(1));
            assertThat(observer.events.all()).isEmpty();
        }
    }

    @Test
    void await_leadership_answers_at_once_on_a_leader_and_waits_on_a_standby() throws Exception {
        TestMember idle = TestMember.of(group, "idle", builder -> {});
        assertThat(idle.neli.awaitLeadership(PATIENCE)).as("not started").isEmpty();

        try (TestMember leader = TestMember.startLeader(group, "leader", LASTING);
                TestMember standby = TestMember.startStandby(group, "standby", LASTING)) {
            assertThat(leader.neli.awaitLeadership(Duration.ZERO)).isPresent();
            assertThat(standby.neli.awaitLeadership(Duration.ZERO)).isEmpty();
            assertThat(standby.neli.awaitLeadership(Duration.ofMillis(20))).isEmpty();

            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread waiting = new Thread(() -> {
                try {
                    standby.neli.awaitLeadership(PATIENCE);
                } catch (InterruptedException e) {
                    thrown.set(e);
                }
            });
            waiting.start();
            waiting.interrupt();
            waiting.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);

            CompletableFuture<Optional<Leadership>> forever =
                    CompletableFuture.supplyAsync(() -> awaitForever(standby));
            eventually().until(() -> isWaiting(forever));
            standby.neli.close();
            assertThat(forever.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
        }
    }

    private static Optional<Leadership> awaitForever(TestMember member) {
        try {
            return member.neli.awaitLeadership(Duration.ofSeconds(Long.MAX_VALUE));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isWaiting(CompletableFuture<?> future) {
        assertThat(future).isNotCompletedExceptionally();
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(thread -> thread.getKey().getState() == Thread.State.TIMED_WAITING
                        && Arrays.stream(thread.getValue())
                                .anyMatch(frame -> frame.getMethodName().equals("awaitForever")));
    }

    @Test
    void a_member_that_resigns_is_followed_by_another() {
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            long token = first.awaitLead().token();

            first.neli.resign(Duration.ofMinutes(10));

            assertThat(second.awaitLead().token()).isGreaterThan(token);
            assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.RESIGNED);
            assertThat(first.neli.snapshot().eligible()).isFalse();
            eventually().until(() -> first.neli
                    .leader()
                    .map(Leader::name)
                    .filter("second"::equals)
                    .isPresent());
        }
    }

    @Tag("proof")
    @Test
    void a_member_that_resigns_alone_comes_back_after_the_cooldown() {
        try (TestMember member = TestMember.startLeader(group, "alone", LASTING)) {
            long token = member.awaitLead().token();
            long resigned = System.nanoTime();

            member.neli.resign(Duration.ofSeconds(1));

            LeaderAcquired again = member.awaitEvents(LeaderAcquired.class, 2).get(1);
            assertThat(System.nanoTime() - resigned).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
            assertThat(again.token()).isGreaterThan(token);
        }
    }

    @Test
    void resigning_without_cooldown_ends_the_term_all_the_same() {
        try (TestMember member = TestMember.startLeader(group, "alone", LASTING)) {
            Leadership term = member.awaitLead();

            member.neli.resign(Duration.ZERO);

            LeaderAcquired again = member.awaitEvents(LeaderAcquired.class, 2).get(1);
            assertThat(again.token()).isGreaterThan(term.token());
            assertThat(term.isValid()).isFalse();
            assertThat(member.events.of(LeaderRevoked.class)).hasSize(1);
        }
    }

    @Test
    void resigning_forever_is_possible() {
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            first.neli.resign(Duration.ofSeconds(Long.MAX_VALUE));

            second.awaitLead();
            first.awaitNoProblem();
            assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.RESIGNED);
        }
    }

    @Test
    void a_negative_cooldown_is_refused() {
        TestMember member = TestMember.of(group, "member", builder -> {});
        assertThatThrownBy(() -> member.neli.resign(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cooldown");
    }

    @Test
    void a_listener_that_cannot_prepare_makes_its_member_resign() {
        AtomicBoolean broken = new AtomicBoolean(true);
        LeaderListener failing = event -> {
            if (event instanceof LeaderAcquired && broken.get()) {
                throw new IllegalStateException("meant to fail");
            }
        };
        try (TestMember first =
                TestMember.start(group, "first", LASTING.andThen(builder -> builder.listener(failing)))) {
            first.awaitEvent(LeaderAcquired.class);
            try (TestMember second = TestMember.start(group, "second", LASTING)) {
                second.awaitLead();

                assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.RESIGNED);
                assertThat(first.neli.snapshot().eligible()).isFalse();
                assertThat(first.neli.beginWork()).isEmpty();
            }
        }
    }

    @Tag("proof")
    @Test
    void nobody_else_leads_while_a_listener_wraps_up() throws InterruptedException {
        CountDownLatch wrappedUp = new CountDownLatch(1);
        CountDownLatch wrapping = new CountDownLatch(1);
        LeaderListener blocking = event -> {
            if (event instanceof LeaderRevoked) {
                wrapping.countDown();
                await(wrappedUp);
            }
        };
        try (TestMember first =
                        TestMember.startLeader(group, "first", LASTING.andThen(builder -> builder.listener(blocking)));
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            first.neli.resign(Duration.ofMinutes(10));
            assertThat(wrapping.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(first.neli.isLeader()).isFalse();
            first.awaitRenewals(5);
            assertThat(second.neli.isLeader()).isFalse();
            assertThat(second.events.all()).isEmpty();
            assertThat(second.neli.leader().map(Leader::name)).contains("first");

            wrappedUp.countDown();
            second.awaitLead();
            assertThat(first.events.of(LeaderFenced.class)).isEmpty();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
