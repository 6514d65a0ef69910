package io.neli.test;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.EventRecorder;
import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FakeNeliTest {

    private final EventRecorder events = new EventRecorder();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService threads =
            Executors.newCachedThreadPool(); // the common pool may have only one thread, which waits
    private FakeNeli neli = builder().start();

    private FakeNeliBuilder builder() {
        return FakeNeli.builder().listener(events).handoverTimeout(PATIENCE);
    }

    private FakeNeli leading() {
        neli = builder().leading(true).start();
        return neli;
    }

    @AfterEach
    void end() {
        release.countDown();
        neli.close();
        threads.shutdownNow();
        events.assertLegal();
    }

    /** The token of this member's last term. */
    private long token() {
        List<LeaderAcquired> acquired = events.of(LeaderAcquired.class);
        return acquired.get(acquired.size() - 1).token();
    }

    /** The other member as a leader. */
    private static Leader other(FakeNeli standby) {
        long token = standby.snapshot().partitions().get(0).token().orElseThrow();
        return new Leader(Neli.DEFAULT_ROLE, FakeNeli.OTHER, token, false, Map.of());
    }

    /** Begins work on another thread before it returns; the work ends when it is released. */
    private CompletableFuture<Boolean> workUntilReleased() {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> wasInterrupted = CompletableFuture.supplyAsync(
                () -> {
                    try (LeaderWork work = neli.beginWork().orElseThrow()) {
                        begun.countDown();
                        release.await();
                        return !work.leadership().role().equals(Neli.DEFAULT_ROLE);
                    } catch (InterruptedException e) {
                        return true;
                    }
                },
                threads);
        await(begun);
        return wasInterrupted;
    }

    @Test
    void a_revocation_returns_when_the_listeners_know_the_next_leader() {
        AtomicReference<Optional<Leader>> told = new AtomicReference<>();
        LeaderListener listener = new LeaderListener() {
            @Override
            public void onEvent(LeaderEvent event) {}

            @Override
            public void onLeaderChanged(String role, Optional<Leader> leader) {
                told.set(leader);
            }
        };
        try (FakeNeli fake = builder().listener(listener).leading(true).start()) {
            for (int i = 0; i < 200; i++) {
                fake.revoke();
                assertThat(told.get()).contains(other(fake));
                fake.acquire();
            }
        }
    }

    @Test
    void a_fence_interrupts_work_although_the_work_around_it_was_detached() {
        leading();
        LeaderWork whole = neli.beginWork().orElseThrow();
        LeaderWork part = neli.beginWork().orElseThrow();
        whole.detach(() -> {});
        CompletableFuture<Void> fencing = CompletableFuture.runAsync(neli::fence, threads);
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> release.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        part.close();
        whole.close();
        assertThat(fencing).succeedsWithin(PATIENCE);
    }

    /** Such as a reactive chain that blocks in an operator. */
    @Test
    void a_callback_that_blocks_does_not_delay_an_interrupt() {
        leading();
        LeaderWork detached = neli.beginWork().orElseThrow();
        detached.detach(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CompletableFuture<Boolean> wasInterrupted = workUntilReleased();
        CompletableFuture<Void> fencing = CompletableFuture.runAsync(neli::fence, threads);
        assertThat(wasInterrupted).succeedsWithin(PATIENCE).isEqualTo(true);
        release.countDown();
        assertThat(fencing).succeedsWithin(PATIENCE);
        detached.close();
    }

    @Test
    void null_is_refused_at_once() {
        leading();
        assertThatNullPointerException()
                .isThrownBy(() -> neli.addListener(null))
                .withMessage("listener");
        assertThatNullPointerException().isThrownBy(() -> neli.background(null)).withMessage("task");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().listener(null))
                .withMessage("listener");
        assertThatNullPointerException()
                .isThrownBy(() -> Neli.builder().mode(null))
                .withMessage("mode");
        assertThatNullPointerException()
                .isThrownBy(() -> Neli.builder().listener(null))
                .withMessage("listener");
        assertThatNullPointerException()
                .isThrownBy(() -> Neli.builder().leaseDuration(null))
                .withMessage("duration");
    }

    @Test
    void an_unknown_role_is_refused_before_the_start_too() {
        try (FakeNeli fake = builder().roles("a").build()) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> fake.isLeader("b"),
                    () -> fake.leadership("b"),
                    () -> fake.leader("b"),
                    () -> fake.awaitLeadership("b", Duration.ZERO),
                    () -> fake.beginWork("b"),
                    () -> fake.pause("b"),
                    () -> fake.resume("b"))) {
                assertThatThrownBy(call).hasMessageContaining("'b'").hasMessageContaining("[a]");
            }
        }
    }

    @Test
    void a_wait_may_be_of_any_length() throws InterruptedException {
        neli = FakeNeli.standby();
        assertThat(neli.awaitLeadership(Duration.ofSeconds(Long.MIN_VALUE))).isEmpty();
        neli.acquire();
        assertThat(neli.awaitLeadership(Duration.ofSeconds(Long.MAX_VALUE))).isPresent();
    }

    /** Spring records the events of a test on threads that inherit from the test's. */
    @Test
    void each_action_has_its_events_delivered_on_a_thread_that_inherits_from_its_caller() {
        InheritableThreadLocal<Integer> round = new InheritableThreadLocal<>();
        List<Integer> rounds = new CopyOnWriteArrayList<>();
        try (FakeNeli fake = builder()
                .listener(event -> rounds.add(round.get()))
                .leading(true)
                .start()) {
            rounds.clear();
            for (int i = 0; i < 200; i++) {
                round.set(i);
                fake.revoke();
                fake.acquire();
                assertThat(rounds).containsExactly(i, i);
                rounds.clear();
            }
        }
    }

    @Test
    void a_thread_that_is_interrupted_closes_it_as_usual_and_stays_interrupted() {
        leading();
        CompletableFuture<Boolean> wasInterrupted = workUntilReleased();
        AtomicReference<Thread> closing = new AtomicReference<>();
        CompletableFuture<Boolean> stays = CompletableFuture.supplyAsync(
                () -> {
                    closing.set(Thread.currentThread());
                    Thread.currentThread().interrupt();
                    neli.close();
                    return Thread.interrupted();
                },
                threads);
        eventually().until(() -> !events.of(LeaderRevoked.class).isEmpty());
        Thread closer = closing.get();
        closer.interrupt();
        eventually().until(() -> !closer.isInterrupted());

        release.countDown();

        assertThat(stays).succeedsWithin(PATIENCE).isEqualTo(true);
        assertThat(wasInterrupted).succeedsWithin(PATIENCE).isEqualTo(false);
        assertThat(events.of(LeaderFenced.class)).isEmpty();
    }

    @Test
    void a_close_does_not_wait_for_work_of_a_fenced_term() {
        neli = builder().leading(true).interruptOnFence(false).start();
        CompletableFuture<Boolean> wasInterrupted = workUntilReleased();
        neli.fence();

        neli.close();

        assertThat(wasInterrupted).isNotDone();
    }

    @Test
    void an_acquisition_that_waits_until_the_close_does_not_lead() throws InterruptedException {
        leading();
        CompletableFuture<Boolean> wasInterrupted = workUntilReleased();
        neli.resign(Duration.ZERO);
        Thread acquiring = new Thread(neli::acquire);
        acquiring.start();
        eventually().until(() -> acquiring.getState() == Thread.State.TIMED_WAITING);
        Thread closing = new Thread(neli::close);
        closing.start();
        eventually().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        release.countDown();

        closing.join(PATIENCE.toMillis());
        acquiring.join(PATIENCE.toMillis());
        assertThat(neli.isLeader()).isFalse();
        assertThat(events.of(LeaderAcquired.class)).hasSize(1);
        assertThat(wasInterrupted).succeedsWithin(PATIENCE).isEqualTo(false);
    }

    @Test
    void a_leader_leads_from_the_start_and_a_standby_knows_who_does() {
        try (FakeNeli leader = FakeNeli.leading();
                FakeNeli standby = FakeNeli.standby()) {
            assertThat(leader.isLeader()).isTrue();
            assertThat(leader.leadership().orElseThrow().isValid()).isTrue();
            long token = leader.leadership().orElseThrow().token();
            assertThat(leader.leader()).contains(new Leader(Neli.DEFAULT_ROLE, "fake", token, true, Map.of()));
            assertThat(leader.beginWork()).hasValueSatisfying(LeaderWork::close);

            assertThat(standby.isLeader()).isFalse();
            assertThat(standby.leadership()).isEmpty();
            assertThat(standby.leader()).contains(other(standby));
            assertThat(standby.beginWork()).isEmpty();
        }
    }

    /** Otherwise a store that outlives a fake would refuse the writes of the next one. */
    @Test
    void tokens_are_at_least_the_wall_clock_as_in_production() {
        long before = System.currentTimeMillis();

        leading();

        assertThat(neli.leadership().orElseThrow().token()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void acquire_returns_when_the_listeners_have_prepared() {
        AtomicReference<Boolean> ledInside = new AtomicReference<>();
        AtomicReference<Boolean> workInside = new AtomicReference<>();
        neli = builder()
                .listener(event -> {
                    ledInside.set(neli.isLeader());
                    workInside.set(neli.beginWork().isPresent());
                })
                .start();

        neli.acquire();

        long token = neli.leadership().orElseThrow().token();
        assertThat(events.all()).containsExactly(new LeaderAcquired(Neli.DEFAULT_ROLE, 0, token));
        assertThat(ledInside).hasValue(true);
        assertThat(workInside).hasValue(false);
        assertThat(neli.beginWork()).hasValueSatisfying(LeaderWork::close);
        events.assertOnThread("neli-fake-events");
    }

    @Test
    void revoke_returns_when_the_work_has_ended() {
        leading();
        CompletableFuture<Boolean> interrupted = workUntilReleased();

        CompletableFuture<Void> revoking = CompletableFuture.runAsync(neli::revoke, threads);
        eventually().until(() -> events.all().size() == 2);
        assertThat(neli.isLeader()).isFalse();
        assertThat(neli.leader().orElseThrow().self()).isTrue();
        assertThat(neli.beginWork()).isEmpty();
        assertThat(revoking).isNotDone();
        release.countDown();

        assertThat(revoking).succeedsWithin(PATIENCE);
        assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(false);
        assertThat(neli.leader().orElseThrow().name()).isEqualTo(FakeNeli.OTHER);
        assertThat(events.of(LeaderRevoked.class))
                .containsExactly(new LeaderRevoked(Neli.DEFAULT_ROLE, 0, token(), RevokeReason.HANDOVER));
    }

    /** In each round the stack ends elsewhere: where work begins, or where it ends. */
    @Test
    void work_that_overflows_the_stack_has_ended() throws InterruptedException {
        leading();
        for (int round = 0; round < 30; round++) {
            int callers = round;
            AtomicBoolean overflows = new AtomicBoolean();
            Thread thread = new Thread(null, () -> overflows.set(overflows(callers)), "overflows", 160 * 1024);
            thread.start();
            thread.join(PATIENCE.toMillis());
            assertThat(overflows).isTrue();
            neli.revoke();
            neli.acquire();
        }
    }

    @Test
    void work_that_overflows_the_stack_as_it_ends_after_its_term_lets_the_member_lead_again()
            throws InterruptedException {
        leading();
        Thread other = overflowsOnceReleased();
        neli.fence();
        release.countDown();
        other.join(PATIENCE.toMillis());
        assertThat(neli.beginWork()).isEmpty();
        neli.acquire();
    }

    @Test
    void work_that_overflows_the_stack_as_it_ends_lets_a_close_within_other_work_return() throws InterruptedException {
        leading();
        Thread other = overflowsOnceReleased();
        Thread closer = new Thread(() -> {
            try (LeaderWork work = neli.beginWork().orElseThrow()) {
                neli.close();
                assertThat(work).isNotNull();
            }
        });
        closer.start();
        eventually().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        release.countDown();
        other.join(PATIENCE.toMillis());
        assertThat(neli.beginWork()).isEmpty();
        closer.join(PATIENCE.dividedBy(2).toMillis());
        assertThat(closer.isAlive()).isFalse();
    }

    /** Begins work on a thread of its own, and ends it at the end of the stack once it is released. */
    private Thread overflowsOnceReleased() {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = new Thread(
                null,
                () -> {
                    LeaderWork work = neli.beginWork().orElseThrow();
                    begun.countDown();
                    while (release.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    closeAtTheEndOfTheStack(work);
                },
                "overflows",
                256 * 1024);
        thread.start();
        await(begun);
        return thread;
    }

    private static void closeAtTheEndOfTheStack(LeaderWork work) {
        try {
            closeAtTheEndOfTheStack(work);
        } catch (StackOverflowError e) {
            work.close();
        }
    }

    private boolean overflows(int callers) {
        if (callers > 0) {
            return overflows(callers - 1);
        }
        try (LeaderWork whole = neli.beginWork().orElseThrow()) {
            recurse();
            return whole == null;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    @SuppressWarnings({"InfiniteRecursion", "try"}) // the work is only closed
    private void recurse() {
        try (LeaderWork part = neli.beginWork().orElseThrow()) {
            recurse();
        }
    }

    @Test
    void a_revoke_that_takes_too_long_fences_the_work_and_says_so() {
        neli = RestartedFakeNeliTest.started(builder().leading(true).handoverTimeout(Duration.ofMillis(100)));
        CompletableFuture<Boolean> interrupted = workUntilReleased();

        assertThatIllegalStateException()
                .isThrownBy(neli::revoke)
                .withMessageContainingAll(
                        "role 'default' still runs after 100 ms", "FakeNeliBuilder.handoverTimeout()");

        assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(true);
        eventually().untilAsserted(() -> assertThat(events.of(LeaderFenced.class))
                .containsExactly(new LeaderFenced(Neli.DEFAULT_ROLE, 0, token(), FenceReason.HANDOVER_TIMED_OUT)));
        RestartedFakeNeliTest.end(neli);
    }

    @Test
    void a_fence_interrupts_the_work_and_returns_when_the_listeners_have_been_notified() {
        leading();
        CompletableFuture<Boolean> interrupted = workUntilReleased();

        neli.fence();

        assertThat(events.of(LeaderFenced.class))
                .containsExactly(new LeaderFenced(Neli.DEFAULT_ROLE, 0, token(), FenceReason.LEASE_EXPIRED));
        Leader other = other(neli);
        assertThat(neli.leader()).contains(other);
        eventually().until(() -> events.leaders().contains(Optional.of(other)));
        assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(true);
    }

    @Test
    void a_fence_interrupts_nothing_where_that_is_switched_off() {
        neli = builder().leading(true).interruptOnFence(false).start();
        CompletableFuture<Boolean> interrupted = workUntilReleased();

        neli.fence();
        release.countDown();

        assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(false);
    }

    @Test
    void a_fence_returns_when_detached_work_has_been_notified() {
        AtomicInteger called = new AtomicInteger();
        leading();
        LeaderWork work = neli.beginWork().orElseThrow();
        assertThat(Leadership.current()).isPresent();
        work.detach(called::incrementAndGet);

        neli.fence();

        assertThat(called).hasValue(1);
        work.close();
    }

    @Test
    void a_handover_may_end_in_a_fence() {
        leading();
        workUntilReleased();
        CompletableFuture<Void> revoking = CompletableFuture.runAsync(neli::revoke, threads);
        eventually().until(() -> events.all().size() == 2);

        neli.fence(Neli.DEFAULT_ROLE, FenceReason.SUPERSEDED);

        assertThat(revoking).succeedsWithin(PATIENCE);
        assertThat(events.all())
                .endsWith(
                        new LeaderRevoked(Neli.DEFAULT_ROLE, 0, token(), RevokeReason.HANDOVER),
                        new LeaderFenced(Neli.DEFAULT_ROLE, 0, token(), FenceReason.SUPERSEDED));
    }

    @Test
    void it_does_not_lead_again_while_work_of_its_last_term_runs() {
        neli = builder().leading(true).interruptOnFence(false).start();
        workUntilReleased();
        neli.fence();

        CompletableFuture<Void> acquiring = CompletableFuture.runAsync(neli::acquire, threads);
        assertThat(neli.isLeader()).isFalse();
        release.countDown();

        assertThat(acquiring).succeedsWithin(PATIENCE);
        assertThat(neli.isLeader()).isTrue();
    }

    @Test
    void tokens_grow_from_term_to_term_no_matter_who_leads_and_whatever_is_started() {
        leading();
        Leadership first = neli.leadership().orElseThrow();
        neli.fence();
        long others = neli.leader().orElseThrow().token();
        neli.acquire();
        long second = neli.leadership().orElseThrow().token();
        neli.close();
        neli.start();

        assertThat(List.of(
                        first.token(),
                        others,
                        second,
                        neli.leadership().orElseThrow().token()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(first.isValid()).isFalse();
    }

    @Test
    void roles_are_led_by_their_partitions() {
        neli = builder().partitions(2).roles("invoices", "reports", "mail").start();

        neli.acquire("reports");
        assertThat(neli.isLeader("reports")).isTrue();
        assertThat(neli.isLeader("partition-1")).isTrue();
        assertThat(neli.isLeader()).isFalse();
        assertThat(neli.leader("mail").orElseThrow().name()).isEqualTo(FakeNeli.OTHER);

        neli.acquire();
        assertThat(neli.isLeader("mail")).isTrue();
        assertThat(neli.beginWork("mail")).hasValueSatisfying(work -> {
            assertThat(work.leadership().role()).isEqualTo("mail");
            work.close();
        });

        neli.revoke("invoices", RevokeReason.CONFLICT);
        assertThat(neli.isLeader("mail")).isFalse();
        neli.fence("reports");

        assertThat(events.all())
                .extracting(event -> event.getClass().getSimpleName() + " " + event.role() + " " + event.partition())
                .containsExactly(
                        "LeaderAcquired reports 1",
                        "LeaderAcquired invoices 0",
                        "LeaderAcquired mail 0",
                        "LeaderRevoked invoices 0",
                        "LeaderRevoked mail 0",
                        "LeaderFenced reports 1");
    }

    @Test
    void steps_that_are_impossible_are_refused() {
        assertThatIllegalStateException()
                .isThrownBy(neli::revoke)
                .withMessage("revoke() of what is not led: [role 'default']");
        assertThatIllegalStateException()
                .isThrownBy(() -> neli.fence("default"))
                .withMessage("fence() of what is neither led nor handed over: [role 'default']");
        neli.acquire();
        assertThatIllegalStateException()
                .isThrownBy(() -> neli.acquire("default"))
                .withMessage("acquire() of what is led already: [role 'default']");
        neli.pause();
        assertThatIllegalStateException().isThrownBy(neli::acquire).withMessageContaining("call resume() first");
        neli.close();
        assertThatIllegalStateException().isThrownBy(neli::acquire).withMessageContaining("call start() first");
        assertThatIllegalStateException()
                .isThrownBy(() -> neli.background(term -> {}))
                .withMessageContaining("call start() first");
        assertThatThrownBy(() -> neli.resign(Duration.ofMillis(-1))).hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> FakeNeli.builder().roles("a", "a").build()).hasMessageContaining("neli.roles is 'a'");
    }

    @Test
    void a_step_inside_a_listener_or_work_is_refused_as_it_would_wait_for_itself() {
        AtomicReference<Throwable> refused = new AtomicReference<>();
        neli = builder()
                .listener(event -> {
                    try {
                        neli.fence();
                    } catch (IllegalStateException e) {
                        refused.set(e);
                    }
                })
                .start();
        neli.acquire();
        assertThat(refused.get()).hasMessageContaining("inside work or a listener");

        try (LeaderWork work = neli.beginWork().orElseThrow()) {
            assertThat(work.leadership().isValid()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(neli::revoke)
                    .withMessageContaining("inside work or a listener");
        }
        assertThat(neli.isLeader()).isTrue();
    }

    @Test
    void a_listener_that_cannot_prepare_makes_it_resign_and_the_test_learns_why() {
        AtomicInteger attempts = new AtomicInteger();
        neli = builder()
                .listener(event -> {
                    if (event instanceof LeaderAcquired && attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("no database");
                    }
                })
                .start();

        assertThatIllegalStateException()
                .isThrownBy(neli::acquire)
                .withMessageContaining("this member has resigned")
                .withStackTraceContaining("no database");

        assertThat(neli.isLeader()).isFalse();
        assertThat(events.of(LeaderRevoked.class))
                .containsExactly(new LeaderRevoked(Neli.DEFAULT_ROLE, 0, token(), RevokeReason.RESIGNED));
        assertThat(neli.snapshot().problem().orElseThrow())
                .contains("a listener failed", "role 'default'", "(once)", "IllegalStateException: no database");
        assertThat(neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.RUNNING);
        neli.acquire();
        assertThat(neli.isLeader()).isTrue();
        assertThat(neli.snapshot().problem()).isEmpty();
    }

    @Test
    void a_member_whose_listeners_fail_again_and_again_is_unable_to_lead() {
        neli = builder()
                .listener(event -> {
                    if (event instanceof LeaderAcquired) {
                        throw new IllegalStateException("wrapped", new IllegalStateException("no database"));
                    }
                })
                .start();
        for (int terms = 0; terms < 2; terms++) {
            assertThatIllegalStateException().isThrownBy(neli::acquire);
        }

        assertThat(neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.UNABLE_TO_LEAD);
        assertThat(neli.snapshot().problem().orElseThrow())
                .contains("(2 times in a row)", "'java.lang.IllegalStateException: no database'");
    }

    @Test
    void the_wait_for_its_close_ends_with_the_close() throws Exception {
        FakeNeli.builder().build().awaitClosed(); // returns immediately, because it is not started
        CompletableFuture<Void> ended = CompletableFuture.runAsync(
                () -> {
                    try {
                        neli.awaitClosed();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
        neli.acquire();
        assertThat(ended).isNotDone();

        neli.close();

        ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_member_that_resigns_or_pauses_is_standby_until_the_test_says_otherwise() {
        leading();
        neli.resign(Neli.LONGEST_COOLDOWN);
        assertThat(neli.isLeader()).isFalse();
        neli.acquire();

        neli.pause();
        neli.pause();
        assertThat(neli.isLeader()).isFalse();
        assertThat(neli.snapshot().paused()).isTrue();
        assertThat(neli.snapshot().eligible()).isFalse();
        neli.resume();
        assertThat(neli.isLeader()).isFalse();
        neli.acquire();

        assertThat(neli.isLeader()).isTrue();
        assertThat(events.of(LeaderRevoked.class))
                .extracting(LeaderRevoked::reason)
                .containsExactly(RevokeReason.RESIGNED, RevokeReason.PAUSED);
    }

    @Test
    void a_role_can_be_paused_and_resigned_without_the_others() {
        FakeNeli fake = builder().roles("a", "b").leading(true).start();
        fake.pause("a");
        eventually().until(() -> fake.leader("a").isPresent());
        assertThat(fake.isLeader("a")).isFalse();
        assertThat(fake.isLeader("b")).isTrue();
        assertThat(fake.snapshot().eligible()).isTrue();
        assertThat(fake.snapshot().paused()).isFalse();
        assertThat(fake.snapshot().partitions())
                .extracting(NeliSnapshot.Partition::eligible)
                .containsExactly(false, true);

        fake.pause();
        fake.resume();
        assertThatIllegalStateException().isThrownBy(() -> fake.acquire("a")).withMessageContaining("paused");
        fake.acquire("b");
        fake.resume("a");
        fake.acquire("a");

        fake.resign("b", Duration.ZERO);
        assertThat(fake.isLeader("a")).isTrue();
        assertThat(fake.isLeader("b")).isFalse();
        assertThatThrownBy(() -> fake.resign("b", Duration.ofDays(8))).hasMessageContaining("longer than 7 days");
        fake.pause("a");
        fake.close();
        fake.start();
        assertThat(fake.isLeader("a")).as("each start begins unpaused").isTrue();
        fake.pause("a");
        fake.reset();
        assertThat(fake.isLeader("a")).isTrue();
        fake.close();
    }

    @Test
    void it_is_a_candidate_or_not_also_in_later_starts() {
        FakeNeli fake = builder().leading(true).build();
        fake.candidate(false);
        fake.start();
        assertThat(fake.isLeader()).isFalse();
        assertThat(fake.leader().map(Leader::name)).contains(FakeNeli.OTHER);
        assertThatIllegalStateException().isThrownBy(fake::acquire).withMessageContaining("candidate(true)");

        fake.candidate(true);
        fake.acquire();
        fake.candidate(false);
        eventually().until(() -> !events.of(LeaderRevoked.class).isEmpty());
        assertThat(events.of(LeaderRevoked.class))
                .extracting(LeaderRevoked::reason)
                .containsExactly(RevokeReason.PAUSED);
        assertThat(fake.snapshot().eligible()).isFalse();
        assertThat(fake.snapshot().paused()).isFalse();
        fake.close();
        fake.start();
        assertThat(fake.isLeader()).isFalse();
        fake.reset();
        assertThat(fake.isLeader()).isTrue();
        fake.close();
    }

    @Test
    void a_reset_makes_a_standby_of_what_was_made_one() {
        neli.acquire();
        neli.reset();
        assertThat(neli.isLeader()).isFalse();

        int before = events.all().size();
        neli.reset();
        assertThat(events.all()).hasSize(before);
    }

    /** Otherwise a test that forgets to close its work would fail the next one. */
    @Test
    void a_reset_inside_work_is_refused_only_if_there_is_something_to_take_back() {
        leading();
        try (LeaderWork work = neli.beginWork().orElseThrow()) {
            neli.reset();
            assertThat(work.leadership().isValid()).isTrue();
        }
        FakeNeli standby = FakeNeli.standby();
        standby.acquire();
        try (LeaderWork work = standby.beginWork().orElseThrow()) {
            assertThatIllegalStateException().isThrownBy(standby::reset).withMessageContaining("inside work");
            assertThat(work.leadership().isValid()).isTrue();
        }
        standby.close();
    }

    @Test
    void a_reset_makes_a_leader_of_what_was_made_one_whatever_it_went_through() {
        leading();
        neli.pause();
        neli.reset();
        assertThat(neli.isLeader()).isTrue();
        neli.close();
        neli.reset();
        assertThat(neli.isLeader()).isTrue();

        int before = events.all().size();
        neli.reset();
        assertThat(events.all()).hasSize(before);
    }

    @Test
    void a_background_task_that_is_closed_is_not_called_again() {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger callsToItself = new AtomicInteger();
        AtomicReference<BackgroundTask> itself = new AtomicReference<>();
        BackgroundTask task = neli.background(term -> calls.incrementAndGet());
        assertThat(calls).hasValue(0);
        neli.acquire();
        eventually().until(() -> calls.get() > 0);
        task.close();
        int before = calls.get();

        itself.set(neli.background(term -> {
            eventually().until(() -> itself.get() != null);
            callsToItself.incrementAndGet();
            itself.get().close();
        }));
        eventually().until(() -> callsToItself.get() > 0);
        eventually().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("neli-fake-background")));
        assertThat(calls).hasValue(before);
        assertThat(callsToItself).hasValue(1);
    }

    @Test
    void the_wait_for_leadership_ends_with_an_interrupt_and_with_the_close() {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = new Thread(() -> interrupted.complete(isInterruptedInWait()));
        waiting.start();
        waiting.interrupt();
        assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(true);

        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        Thread closing = new Thread(() -> closed.complete(isInterruptedInWait()));
        closing.start();
        eventually().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        neli.close();
        assertThat(closed).succeedsWithin(PATIENCE).isEqualTo(false);
    }

    private boolean isInterruptedInWait() {
        try {
            assertThat(neli.awaitLeadership(Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void the_snapshot_shows_what_it_plays() {
        neli.acquire();

        NeliSnapshot snapshot = neli.snapshot();

        assertThat(snapshot.status()).isEqualTo(NeliSnapshot.Status.RUNNING);
        assertThat(snapshot.groupMembers()).isEqualTo(2);
        assertThat(snapshot.partitions()).singleElement().satisfies(partition -> {
            assertThat(partition.state()).isEqualTo(NeliSnapshot.Partition.State.LEADING);
            assertThat(partition.leader()).contains("fake");
            assertThat(partition.token())
                    .contains(neli.leadership().orElseThrow().token());
            assertThat(partition.leadingFor()).isPositive();
        });
    }

    /** The producers of a leader's template need it, because work may send until the handover ends. */
    @Test
    void the_snapshot_shows_a_handover_even_while_it_closes() {
        neli.acquire();
        long token = token();
        workUntilReleased();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(neli::close, threads);
        eventually().untilAsserted(() -> assertThat(neli.snapshot().partitions())
                .singleElement()
                .satisfies(partition -> {
                    assertThat(partition.state()).isEqualTo(NeliSnapshot.Partition.State.DRAINING);
                    assertThat(partition.token()).contains(token);
                }));
        assertThat(neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        release.countDown();
        assertThat(closing).succeedsWithin(PATIENCE);
    }

    @Test
    void who_leads_tells_what_it_is_configured_to_tell_of_itself() {
        neli = builder()
                .metadata(Map.of("url", "http://me"))
                .otherMetadata(Map.of("url", "http://other"))
                .start();
        assertThat(neli.leader().orElseThrow().metadata()).containsExactly(Map.entry("url", "http://other"));

        neli.acquire();

        assertThat(neli.leader().orElseThrow().metadata()).containsExactly(Map.entry("url", "http://me"));
        assertThat(neli.snapshot().partitions()).singleElement().satisfies(partition -> assertThat(
                        partition.leaderMetadata())
                .containsExactly(Map.entry("url", "http://me")));
    }

    /** Meters, for example, are created before the start, and need all partitions. */
    @Test
    void its_partitions_are_known_also_while_it_is_stopped() {
        FakeNeli stopped =
                FakeNeli.builder().partitions(2).roles("invoices", "reports").build();
        assertThat(stopped.snapshot().partitions())
                .extracting(NeliSnapshot.Partition::roles)
                .containsExactly(List.of("invoices"), List.of("reports"));
        assertThat(stopped.snapshot().partitions()).noneMatch(NeliSnapshot.Partition::leading);
    }

    @Test
    void its_settings_are_checked_like_those_of_a_member() {
        Map<String, String> unset = new HashMap<>();
        unset.put("url", null);
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(FakeNeli.builder().otherMetadata(unset)::build)
                .withMessageContaining("neli.metadata.url");
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(FakeNeli.builder().handoverTimeout(Duration.ofSeconds(Long.MAX_VALUE))::build)
                .withMessageContaining("neli.handover-timeout");
    }
}
