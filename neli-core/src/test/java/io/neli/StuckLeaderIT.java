package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.neli.LeaderEvent.LeaderFenced;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.awaitUninterruptibly;
import static io.neli.TestMember.eventually;
import static io.neli.TestMember.threads;
import static org.assertj.core.api.Assertions.assertThat;

class StuckLeaderIT {

    private static final List<String> ROLES = List.of("a", "b", "c", "d");

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
        Consumer<NeliBuilder> limited =
                builder -> builder.workLimit(Duration.ofMillis(200)).handoverTimeout(Duration.ofMillis(300));
        try (TestMember first = TestMember.startLeader(group, "first", SHORT.andThen(limited))) {
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

    private static boolean isWatched() {
        return !threads("neli-first-work-limit").isEmpty();
    }
}
