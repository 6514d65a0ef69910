package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.QUICK;
import static io.neli.TestMember.awaitUninterruptibly;
import static io.neli.TestMember.eventually;
import static io.neli.TestMember.threads;
import static org.assertj.core.api.Assertions.assertThat;

class StuckLeaderIT {

    private static final Duration LIMIT = Duration.ofMillis(200);
    /** Longer than the cooldown after a failure, which is ten leases. */
    private static final Duration COOLDOWN = Duration.ofSeconds(5);

    private static final List<String> ROLES = List.of("a", "b", "c", "d");
    private static final Consumer<NeliBuilder> LIMITED =
            builder -> builder.workLimit(LIMIT).handoverTimeout(Duration.ofMillis(300));

    /** A term whose work hangs is not resigned, so the next leader waits for its lease. */
    private static final Consumer<NeliBuilder> SHORT =
            builder -> builder.leaseDuration(Duration.ofSeconds(2)).roles(ROLES);

    private final String group = TestServers.unusedName("stuck");
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void release() {
        end.countDown();
    }

    @Test
    void a_leader_whose_work_hangs_hands_over_all_its_roles_and_another_leads() throws InterruptedException {
        AtomicReference<Leadership> hung = new AtomicReference<>();
        try (TestMember first = TestMember.startLeader(group, "first", SHORT.andThen(LIMITED))) {
            first.neli.background("a", leadership -> {
                hung.set(leadership);
                awaitUninterruptibly(end);
            });
            // On a slow machine, its listener may exceed the limit first; then it leads again after a cooldown.
            eventually().until(() -> hung.get() != null && isWatched());
            try (TestMember second = TestMember.start(group, "second", SHORT)) {
                assertThat(second.awaitLead().token()).isGreaterThan(hung.get().token());
                for (String role : ROLES) { // more than its share
                    assertThat(second.neli.awaitLeadership(role, PATIENCE)).isPresent();
                }
                eventually()
                        .untilAsserted(
                                () -> assertThat(first.events.of("a")).last().isInstanceOf(LeaderFenced.class));
                end.countDown();
            }
            first.neli.close();
            eventually().until(() -> !isWatched());
        }
    }

    @Tag("proof")
    @Test
    void a_member_whose_listener_hangs_resigns_and_is_not_eligible_before_it_returns() throws InterruptedException {
        LeaderListener hanging = event -> {
            if (event instanceof LeaderAcquired) {
                awaitUninterruptibly(end);
            }
        };
        Consumer<NeliBuilder> settings = QUICK.andThen(LIMITED).andThen(builder -> builder.listener(hanging));
        try (TestMember first = TestMember.start(group, "first", settings)) {
            first.awaitEvent(LeaderAcquired.class);
            try (TestMember second = TestMember.start(group, "second", QUICK)) {
                second.awaitLead();
            }

            assertThat(first.neli.awaitLeadership(COOLDOWN)).isEmpty();

            end.countDown();
            first.awaitEvents(LeaderAcquired.class, 2);
        }
    }

    private static boolean isWatched() {
        return !threads("neli-first-work-limit").isEmpty();
    }
}
