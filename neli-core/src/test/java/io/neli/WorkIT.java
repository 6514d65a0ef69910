package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.Neli.BackgroundTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkIT {

    private final String group = TestServers.unusedName("work");

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void work_begins_when_the_listeners_have_prepared() {
        CountDownLatch prepared = new CountDownLatch(1);
        LeaderListener preparing = event -> {
            if (event instanceof LeaderAcquired) {
                await(prepared);
            }
        };
        try (TestMember member =
                TestMember.startLeader(group, "member", LASTING.andThen(builder -> builder.listener(preparing)))) {
            member.awaitEvent(LeaderAcquired.class);
            assertThat(member.neli.isLeader()).isTrue();
            assertThat(member.neli.beginWork()).isEmpty();

            prepared.countDown();

            try (LeaderWork work = member.awaitWork()) {
                assertThat(work.leadership().token())
                        .isEqualTo(member.awaitLead().token());
            }
        }
    }

    @Tag("proof")
    @Test
    void a_handover_waits_for_work_and_for_work_within_it() {
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            LeaderWork outer = first.awaitWork();
            first.neli.resign(Duration.ofMinutes(10));
            first.awaitEvent(LeaderRevoked.class);

            LeaderWork inner = first.neli.beginWork().orElseThrow();
            assertThat(first.neli.isLeader()).isFalse();
            assertThat(CompletableFuture.supplyAsync(first.neli::beginWork).join())
                    .as("work of another thread")
                    .isEmpty();
            inner.close();
            first.awaitRenewals(5);
            assertThat(second.neli.isLeader()).isFalse();
            assertThat(second.events.all()).isEmpty();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();

            outer.close();

            second.awaitLead();
            assertThat(first.events.of(LeaderFenced.class)).isEmpty();
        }
    }

    @Test
    void work_beyond_the_handover_timeout_is_interrupted_and_another_leads() {
        try (TestMember first = TestMember.startLeader(
                        group, "first", LASTING.andThen(builder -> builder.handoverTimeout(Duration.ofMillis(300))));
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            LeaderWork work = first.awaitWork();
            first.neli.resign(Duration.ofMinutes(10));

            boolean interrupted = false;
            try {
                new CountDownLatch(1).await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
                Thread.currentThread().interrupt(); // as one does
            }
            assertThat(interrupted).isTrue();
            work.close();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();

            LeaderFenced fenced = first.awaitEvent(LeaderFenced.class);
            assertThat(fenced.reason()).isEqualTo(FenceReason.HANDOVER_TIMED_OUT);
            assertThat(second.awaitLead().token()).isGreaterThan(fenced.token());
            assertThat(first.events.of(LeaderRevoked.class)).hasSize(1);
        }
    }

    @Tag("proof")
    @Test
    void detached_work_holds_up_the_handover_and_is_called_on_a_thread_of_its_own_when_that_times_out() {
        AtomicReference<String> calledOn = new AtomicReference<>();
        try (TestMember first = TestMember.startLeader(
                        group, "first", LASTING.andThen(builder -> builder.handoverTimeout(Duration.ofMillis(300))));
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            LeaderWork work = first.awaitWork();
            work.detach(() -> {
                calledOn.set(Thread.currentThread().getName());
                work.close();
            });
            first.neli.resign(Duration.ofMinutes(10));

            eventually().untilAsserted(() -> assertThat(calledOn).hasValue("neli-first-fence"));
            assertThat(first.awaitEvent(LeaderFenced.class).reason()).isEqualTo(FenceReason.HANDOVER_TIMED_OUT);
            second.awaitLead();
        }
    }

    @Test
    void close_gives_up_on_work_that_does_not_end() {
        TestMember member = TestMember.startLeader(
                group, "member", LASTING.andThen(builder -> builder.handoverTimeout(Duration.ofMillis(200))
                        .interruptOnFence(false)));
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        member.neli.background(leadership -> {
            begun.countDown();
            awaitUninterruptibly(end);
        });
        await(begun);

        member.close();

        assertThat(member.awaitEvent(LeaderFenced.class).reason()).isEqualTo(FenceReason.HANDOVER_TIMED_OUT);
        assertThat(end.getCount()).as("close did not wait for the task").isEqualTo(1);
        end.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean ended = false;
        while (!ended) {
            try {
                ended = latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // on purpose
            }
        }
    }

    @Test
    void a_background_task_is_called_again_and_again_while_its_member_leads() {
        List<Long> tokens = new CopyOnWriteArrayList<>();
        AtomicBoolean calledElsewhere = new AtomicBoolean();
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            first.neli.background(leadership -> tokens.add(leadership.token()));
            second.neli.background(leadership -> calledElsewhere.set(true));
            eventually().until(() -> tokens.size() > 100);
            assertThat(tokens).containsOnly(first.awaitLead().token());
            assertThat(calledElsewhere).isFalse();

            first.neli.resign(Duration.ofMinutes(10));

            second.awaitLead();
            int calls = tokens.size();
            eventually().untilTrue(calledElsewhere);
            assertThat(tokens).as("calls after the handover").hasSize(calls);
        }
    }

    @Test
    void a_task_that_fails_is_called_again() {
        AtomicInteger calls = new AtomicInteger();
        try (TestMember member = TestMember.startLeader(group, "member", LASTING)) {
            member.neli.background(leadership -> {
                switch (calls.incrementAndGet()) {
                    case 1 -> throw new IllegalStateException("meant to fail");
                    case 2 -> throw new AssertionError("meant to fail");
                    case 3 -> Thread.currentThread().interrupt();
                    case 4 -> throw new InterruptedException("meant to fail");
                    default -> {}
                }
            });
            eventually().until(() -> calls.get() > 5);
            assertThat(member.events.all()).hasSize(1);
        }
    }

    @Test
    void a_task_that_is_closed_is_not_called_again() {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger callsToItself = new AtomicInteger();
        AtomicReference<BackgroundTask> itself = new AtomicReference<>();
        try (TestMember member = TestMember.startLeader(group, "member")) {
            BackgroundTask task = member.neli.background(leadership -> calls.incrementAndGet());
            eventually().until(() -> calls.get() > 0);
            task.close();
            int before = calls.get();

            itself.set(member.neli.background(leadership -> {
                eventually().until(() -> itself.get() != null);
                callsToItself.incrementAndGet();
                itself.get().close();
            }));
            eventually().untilAsserted(() -> assertThat(callsToItself).hasValue(1));
            eventually().until(() -> threadsNamed("neli-member-background").isEmpty());
            assertThat(calls).hasValue(before);
            assertThat(callsToItself).hasValue(1);
        }
    }

    private static List<String> threadsNamed(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    @Test
    void a_task_needs_an_election_that_is_started() {
        TestMember member = TestMember.of(group, "member", builder -> {});
        assertThatThrownBy(() -> member.neli.background(leadership -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("start()");
    }

    @Test
    void close_by_a_listener_waits_for_a_task() {
        CountDownLatch taskRuns = new CountDownLatch(1);
        CountDownLatch taskMayEnd = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        AtomicReference<Neli> neli = new AtomicReference<>();
        LeaderListener closing = event -> {
            if (event instanceof LeaderRevoked) {
                neli.get().close();
                returned.countDown();
            }
        };
        try (TestMember member =
                TestMember.of(group, "member", LASTING.andThen(builder -> builder.listener(closing)))) {
            neli.set(member.neli);
            member.neli.start();
            member.neli.background(leadership -> {
                taskRuns.countDown();
                await(taskMayEnd);
            });
            await(taskRuns);
            member.neli.resign(Duration.ZERO);
            eventually().until(() -> !threadsNamed("neli-member-close").isEmpty());
            assertThat(returned.getCount()).isEqualTo(1);

            taskMayEnd.countDown();

            await(returned);
            eventually().until(() -> threadsNamed("neli-member-").isEmpty());
            assertThat(member.events.of(LeaderFenced.class)).isEmpty();
        }
    }

    @Test
    void close_by_a_task_waits_for_another_task_and_not_for_itself() {
        AtomicBoolean closed = new AtomicBoolean();
        CountDownLatch otherMayEnd = new CountDownLatch(1);
        CountDownLatch otherRuns = new CountDownLatch(1);
        TestMember member = TestMember.startLeader(group, "member", LASTING);
        member.neli.background(leadership -> {
            otherRuns.countDown();
            await(otherMayEnd);
        });
        member.neli.background(leadership -> {
            await(otherRuns);
            member.neli.close();
            closed.set(true);
        });
        eventually().until(() -> !threadsNamed("neli-member-close").isEmpty());
        assertThat(closed).isFalse();
        assertThat(member.neli.beginWork()).isEmpty();
        otherMayEnd.countDown();
        eventually().untilTrue(closed);
        eventually().until(() -> threadsNamed("neli-member-").isEmpty());
        assertThat(member.events.of(LeaderFenced.class)).isEmpty();
        assertThat(member.events.of(LeaderRevoked.class)).hasSize(1);
        member.close();
    }

    @Test
    void close_may_be_called_in_the_middle_of_work() {
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            LeaderWork work = first.awaitWork();
            first.neli.close();
            assertThat(second.neli.isLeader()).isFalse();
            work.close();
            second.awaitLead();
            eventually().until(() -> threadsNamed("neli-first-").isEmpty());
            assertThat(first.events.of(LeaderFenced.class)).isEmpty();
        }
    }

    @Test
    void close_from_several_threads_returns_when_it_is_done() {
        TestMember member = TestMember.startLeader(group, "member", LASTING);
        List<CompletableFuture<Void>> closings = List.of(1, 2, 3).stream()
                .map(number -> CompletableFuture.runAsync(member.neli::close)
                        .thenRun(() ->
                                assertThat(threadsNamed("neli-member-log")).isEmpty()))
                .toList();
        closings.forEach(CompletableFuture::join);
        member.close();
        assertThat(member.events.all()).hasSize(2);
    }
}
