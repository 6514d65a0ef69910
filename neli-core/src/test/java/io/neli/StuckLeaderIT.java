package io.neli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
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
        AtomicReference<Leadership> hung = new AtomicReference<>();
        try (TestMember first = TestMember.startLeader(group, "first", LIMITED)) {
            first.neli.background(leadership -> {
                hung.set(leadership);
                hang();
            });
            awaitHung(hung);
            try (TestMember second = TestMember.start(group, "second")) {
                assertThat(second.awaitLead().token()).isGreaterThan(hung.get().token());
                assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.RESIGNED);
                first.awaitEvent(LeaderFenced.class); // the handover timed out, or on a slow machine the lease
                end.countDown();
            }
        }
    }

    /**
     * Waits for work of the only member. On a slow machine its listener may have exceeded the limit before the work began; then it
     * leads again after a cooldown.
     */
    private static void awaitHung(AtomicReference<Leadership> hung) {
        eventually().until(() -> hung.get() != null);
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
            // On a slow machine a lease may have ended before.
            eventually().untilAsserted(() -> assertThat(first.events.of(LeaderFenced.class))
                    .extracting(LeaderFenced::reason)
                    .contains(FenceReason.HANDOVER_TIMED_OUT));
        }
    }

    @Test
    void a_leader_whose_work_hangs_hands_over_its_other_roles_too() throws InterruptedException {
        Consumer<NeliBuilder> roles = builder -> builder.partitions(2)
                .roles("a", "b")
                .leaseDuration(Duration.ofSeconds(10)); // or a stall of the log could fence b first
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
        try (TestMember member =
                TestMember.startLeader(group, "member", LASTING.andThen(builder -> builder.workLimit(PATIENCE)))) {
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
        AtomicReference<Leadership> hung = new AtomicReference<>();
        Consumer<NeliBuilder> lease = builder -> builder.leaseDuration(Duration.ofSeconds(2));
        try (TestMember first = TestMember.startLeader(group, "first", LIMITED.andThen(lease))) {
            first.neli.background(leadership -> {
                hung.set(leadership);
                hang();
            });
            awaitHung(hung);
            try (TestMember second = TestMember.start(group, "second", lease)) {
                second.awaitLead();
            }
            eventually().until(() -> first.neli.snapshot().eligible());

            assertThat(first.neli.awaitLeadership(Duration.ofSeconds(8))).isEmpty();

            int before = first.events.of(LeaderAcquired.class).size();
            end.countDown();
            first.awaitEvents(LeaderAcquired.class, before + 1);
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
