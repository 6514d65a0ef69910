package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static io.neli.TestMember.threads;
import static org.assertj.core.api.Assertions.assertThat;

class WorkIT {

    private final String group = TestServers.unusedName("work");

    @Test
    void a_handover_waits_for_work_for_work_within_it_and_for_listeners() {
        CountDownLatch wrappedUp = new CountDownLatch(1);
        LeaderListener wrappingUp = event -> {
            if (event instanceof LeaderRevoked) {
                await(wrappedUp);
            }
        };
        try (TestMember first = TestMember.startLeader(
                        group, "first", LASTING.andThen(builder -> builder.listener(wrappingUp)));
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            LeaderWork outer = first.awaitWork();
            first.neli.resign(Neli.LONGEST_COOLDOWN);
            assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.RESIGNED);

            LeaderWork inner = first.neli.beginWork().orElseThrow();
            assertThat(first.neli.isLeader()).isFalse();
            assertThat(CompletableFuture.supplyAsync(first.neli::beginWork).join())
                    .as("work of another thread")
                    .isEmpty();
            inner.close();
            assertStillHeldBy(first, second);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            outer.close();
            assertStillHeldBy(first, second);
            wrappedUp.countDown();

            second.awaitLead();
            assertThat(first.neli.snapshot().eligible()).isFalse();
            assertThat(first.events.of(LeaderFenced.class)).isEmpty();
        }
    }

    private static void assertStillHeldBy(TestMember first, TestMember second) {
        first.awaitRenewals(3);
        assertThat(second.neli.isLeader()).isFalse();
        assertThat(second.events.all()).isEmpty();
        assertThat(second.neli.leader().map(Leader::name)).contains("first");
    }

    @Test
    void a_background_task_is_called_again_and_again_while_its_member_leads_whatever_it_throws() {
        List<Long> tokens = new CopyOnWriteArrayList<>();
        AtomicBoolean calledElsewhere = new AtomicBoolean();
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            first.neli.background(leadership -> {
                tokens.add(leadership.token());
                switch (tokens.size()) {
                    case 1 -> throw new IllegalStateException("meant to fail");
                    case 2 -> throw new AssertionError("meant to fail");
                    case 3 -> Thread.currentThread().interrupt();
                    case 4 -> throw new InterruptedException("meant to fail");
                    default -> {}
                }
            });
            second.neli.background(leadership -> calledElsewhere.set(true));
            eventually().until(() -> tokens.size() > 100);
            assertThat(tokens).containsOnly(first.awaitLead().token());
            assertThat(calledElsewhere).isFalse();
            assertThat(first.events.all()).hasSize(1);

            first.neli.resign(Duration.ofMinutes(10));

            second.awaitLead();
            int calls = tokens.size();
            eventually().untilTrue(calledElsewhere);
            assertThat(tokens).as("calls after the handover").hasSize(calls);
        }
    }

    @Test
    void close_from_several_threads_returns_when_it_is_done() {
        TestMember member = TestMember.startLeader(group, "member", LASTING);
        List<CompletableFuture<Void>> closings = List.of(1, 2, 3).stream()
                .map(number -> CompletableFuture.runAsync(member.neli::close)
                        .thenRun(() -> assertThat(threads("neli-member-log")).isEmpty()))
                .toList();
        closings.forEach(CompletableFuture::join);
        member.close();
        assertThat(member.events.all()).hasSize(2);
    }
}
