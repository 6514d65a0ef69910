package io.neli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class StuckLeaderIT {

    private static final Duration LEASE = Duration.ofMillis(400);
    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final Duration COOLDOWN = LEASE.multipliedBy(10);
    private static final Consumer<NeliBuilder> QUICK = builder -> builder.leaseDuration(LEASE);
    private static final Consumer<NeliBuilder> LIMITED =
            builder -> builder.workLimit(LIMIT).handoverTimeout(Duration.ofMillis(300));

    private final String group = TestServers.unusedName("stuck");
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void release() {
        end.countDown();
    }

    /** As work that hangs: an interrupt does not end it. */
    private void hang() {
        boolean ended = false;
        while (!ended) {
            try {
                ended = end.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // on purpose
            }
        }
    }

    @Test
    void a_leader_whose_work_hangs_resigns_and_another_leads() {
        CountDownLatch hangs = new CountDownLatch(1);
        try (TestMember first = TestMember.startLeader(group, "first", LIMITED);
                TestMember second = TestMember.startStandby(group, "second")) {
            long token = first.awaitLead().token();
            first.neli.background(leadership -> {
                hangs.countDown();
                hang();
            });

            assertThat(second.awaitLead().token()).isGreaterThan(token);
            assertThat(hangs.getCount()).isZero();
            assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.RESIGNED);
            first.awaitEvent(LeaderFenced.class); // the handover timed out, or on a slow machine the lease
            end.countDown();
        }
    }

    @Tag("proof")
    @Test
    void work_that_hangs_is_interrupted_after_the_handover_timeout() {
        AtomicBoolean interrupted = new AtomicBoolean();
        try (TestMember first = TestMember.startLeader(group, "first", LIMITED)) {
            first.neli.background(leadership -> {
                try {
                    end.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    interrupted.set(true);
                    throw e;
                }
            });
            eventually().untilTrue(interrupted);
            assertThat(first.awaitEvent(LeaderFenced.class).reason()).isEqualTo(FenceReason.HANDOVER_TIMED_OUT);
        }
    }

    @Test
    void a_leader_whose_work_hangs_hands_over_its_other_roles_too() throws InterruptedException {
        Consumer<NeliBuilder> roles = builder -> builder.partitions(2).roles("a", "b");
        try (TestMember first = TestMember.startLeader(group, "first", LIMITED.andThen(roles))) {
            assertThat(first.neli.awaitLeadership("b", PATIENCE)).isPresent();
            first.neli.background("a", leadership -> hang());

            eventually().until(() -> first.events.of("b").stream()
                    .anyMatch(event ->
                            event instanceof LeaderRevoked revoked && revoked.reason() == RevokeReason.RESIGNED));
            end.countDown();
        }
    }

    @Test
    void many_short_calls_are_no_long_work() {
        AtomicInteger calls = new AtomicInteger();
        try (TestMember member = TestMember.startLeader(group, "member", builder -> builder.workLimit(PATIENCE))) {
            member.neli.background(leadership -> calls.incrementAndGet());
            eventually().until(() -> calls.get() > 1_000);
            assertThat(member.events.all()).hasSize(1);
        }
    }

    @Tag("proof")
    @Test
    void a_member_whose_listener_hangs_resigns_and_is_not_eligible_before_it_returns() throws InterruptedException {
        LeaderListener hanging = event -> {
            if (event instanceof LeaderAcquired) {
                hang();
            }
        };
        Consumer<NeliBuilder> settings = QUICK.andThen(LIMITED).andThen(builder -> builder.listener(hanging));
        try (TestMember first = TestMember.start(group, "first", settings)) {
            first.awaitEvent(LeaderAcquired.class);
            try (TestMember second = TestMember.start(group, "second", QUICK)) {
                second.awaitLead();
            }

            assertThat(first.neli.awaitLeadership(COOLDOWN.plus(LEASE.multipliedBy(3))))
                    .as("longer than the cooldown after a failure")
                    .isEmpty();

            end.countDown();
            first.awaitEvents(LeaderAcquired.class, 2);
        }
    }

    @Tag("proof")
    @Test
    void a_member_does_not_lead_again_while_its_work_hangs() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        Consumer<NeliBuilder> lease = builder -> builder.leaseDuration(Duration.ofSeconds(2));
        try (TestMember first = TestMember.startLeader(group, "first", LIMITED.andThen(lease));
                TestMember second = TestMember.startStandby(group, "second", lease)) {
            first.neli.background(leadership -> {
                hangs.countDown();
                hang();
            });
            eventually().until(() -> hangs.getCount() == 0);
            second.awaitLead();
            second.neli.close();
            eventually().until(() -> first.neli.snapshot().eligible());

            assertThat(first.neli.awaitLeadership(Duration.ofSeconds(8))).isEmpty();

            end.countDown();
            first.awaitEvents(LeaderAcquired.class, 2);
        }
    }

    @Test
    void the_watch_ends_with_the_member() {
        TestMember member = TestMember.startLeader(group, "member", LIMITED);
        member.neli.background(leadership -> {});
        eventually().until(StuckLeaderIT::isWatched);
        member.close();
        eventually().until(() -> !isWatched());
    }

    private static boolean isWatched() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("neli-member-work-limit"));
    }
}
