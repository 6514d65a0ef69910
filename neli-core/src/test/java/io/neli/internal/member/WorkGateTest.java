package io.neli.internal.member;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.NeliMetrics;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.MetricsReporter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

import static io.neli.TestMember.await;
import static io.neli.TestMember.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkGateTest {

    private static final long PATIENCE_SECONDS = 120;

    private static final String ROLE = "default";

    private final List<Long> ended = new CopyOnWriteArrayList<>();
    private final List<String> measured = new CopyOnWriteArrayList<>();
    private final MetricsReporter metrics = new MetricsReporter(List.of(new NeliMetrics() {

        @Override
        public void workEnded(String role, WorkOutcome outcome, Duration duration) {
            assertThat(duration).isPositive();
            measured.add(role + " " + outcome);
        }
    }));
    private final WorkGate gate = gate(Runnable::run);
    private final List<Long> fenced = new CopyOnWriteArrayList<>();
    private final AtomicBoolean valid = new AtomicBoolean(true);
    private final AtomicBoolean lasts = new AtomicBoolean(true);
    private final AtomicInteger calls = new AtomicInteger();
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        other.shutdownNow();
        assertThat(Thread.interrupted()).as("interrupt flag left behind").isFalse();
        assertThat(Leadership.current()).as("work left behind").isEmpty();
    }

    private WorkGate gate(Executor callbacks) {
        return new WorkGate(callbacks, this::ended, ObservedGate.NO_LIMIT, metrics);
    }

    private void ended(long token, boolean ofFence) {
        ended.add(token);
        if (ofFence) {
            fenced.add(token);
        }
    }

    private TermLeadership term(long token) {
        return ObservedGate.term(token, valid::get, lasts::get);
    }

    private void open(long token) {
        open(gate, token);
    }

    private void open(WorkGate opened, long token) {
        TermLeadership term = term(token);
        opened.acquired(term);
        opened.open(term);
    }

    /** Begins work in term 1. */
    private LeaderWork begin() {
        open(1);
        return gate.enter(ROLE).orElseThrow();
    }

    /** Lets the term be handed over as soon as its work has ended. */
    private void handsOver(long token) {
        gate.revoked(token);
        gate.listenersDone(token);
    }

    @Test
    void no_work_begins_before_the_listeners_have_prepared() {
        assertThat(gate.enter(ROLE)).isEmpty();
        TermLeadership term = term(1);
        gate.acquired(term);
        assertThat(gate.enter(ROLE)).isEmpty();
        assertThat(gate.term()).isEmpty();

        gate.open(term);

        assertThat(gate.term()).contains(term);
        LeaderWork work = gate.enter(ROLE).orElseThrow();
        assertThat(work.leadership()).isEqualTo(term);
        assertThat(measured).isEmpty();
        work.close();
        assertThat(measured).containsExactly("default EXECUTED");
    }

    @Test
    void listeners_that_prepare_too_late_open_nothing() {
        TermLeadership first = term(1);
        gate.acquired(first);
        gate.fenced(1);
        gate.open(first);
        assertThat(gate.enter(ROLE)).isEmpty();

        gate.acquired(term(2));
        gate.open(first);
        assertThat(gate.enter(ROLE)).isEmpty();
    }

    @Test
    void no_work_begins_once_the_member_closes() {
        open(1);
        gate.close();
        assertThat(gate.enter(ROLE)).isEmpty();

        open(2);
        assertThat(gate.enter(ROLE)).isEmpty();
    }

    @Test
    void no_work_begins_when_the_lease_is_over() {
        open(1);
        valid.set(false);
        assertThat(gate.enter(ROLE)).isEmpty();
        assertThat(gate.isCallerInside()).isFalse();
        assertCurrent(null, null);
        assertThat(measured).isEmpty();
    }

    @Test
    void work_that_fails_to_begin_has_ended() {
        TermLeadership full = ObservedGate.term(
                1,
                () -> {
                    throw new StackOverflowError("meant to fail");
                },
                lasts::get);
        gate.acquired(full);
        gate.open(full);
        assertThatThrownBy(() -> gate.enter(ROLE)).isInstanceOf(StackOverflowError.class);
        handsOver(1);
        assertThat(ended).containsExactly(1L);
    }

    @Test
    void a_report_that_fails_is_made_again() {
        AtomicBoolean full = new AtomicBoolean(true);
        WorkGate failing = new WorkGate(
                Runnable::run,
                (token, ofFence) -> {
                    if (full.getAndSet(false)) {
                        throw new StackOverflowError("meant to fail");
                    }
                    ended(token, ofFence);
                },
                ObservedGate.NO_LIMIT,
                metrics);
        open(failing, 1);
        LeaderWork work = failing.enter(ROLE).orElseThrow();
        failing.revoked(1);
        failing.listenersDone(1);
        assertThatThrownBy(work::close).isInstanceOf(StackOverflowError.class);
        assertThat(failing.enter(ROLE)).isEmpty();
        assertThat(ended).containsExactly(1L);
    }

    @Test
    void a_handover_waits_for_work_and_listeners() {
        LeaderWork work = begin();
        handsOver(1);
        assertThat(ended).isEmpty();

        work.close();
        work.close();

        assertThat(ended).containsExactly(1L);
        assertThat(measured).containsExactly("default DRAINED");
    }

    @Test
    void a_listener_that_wraps_up_an_earlier_term_does_not_end_the_handover_of_a_later_one() {
        open(1);
        gate.revoked(1);
        gate.fenced(1);
        open(2);
        gate.revoked(2);

        gate.listenersDone(1);
        assertThat(ended).isEmpty();

        gate.listenersDone(2);
        assertThat(ended).containsExactly(2L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_fenced_term_is_reported_as_such_when_its_work_and_its_listeners_have_ended(boolean revokedBefore) {
        LeaderWork work = begin();
        if (revokedBefore) {
            handsOver(1);
        }
        gate.fenced(1);
        gate.listenersDone(1);
        assertThat(ended).isEmpty();

        work.close();

        assertThat(ended).containsExactly(1L);
        assertThat(fenced).containsExactly(1L);
    }

    @Test
    void a_revoked_term_that_is_fenced_waits_for_the_listeners_of_both() {
        LeaderWork work = begin();
        gate.revoked(1);
        gate.fenced(1);
        work.close();
        assertThat(measured).containsExactly("default INTERRUPTED");
        gate.listenersDone(1); // the listeners of the revocation
        assertThat(ended).isEmpty();

        gate.listenersDone(1);

        assertThat(ended).containsExactly(1L);
    }

    @Test
    void a_term_that_is_fenced_after_it_has_drained_is_reported_once_more() {
        open(1);
        handsOver(1);
        gate.fenced(1);
        assertThat(ended).containsExactly(1L);
        assertThat(fenced).as("reports of an end that the fence was part of").isEmpty();

        gate.listenersDone(1);

        assertThat(ended).containsExactly(1L, 1L);
        assertThat(fenced).containsExactly(1L);
    }

    @Test
    void a_term_is_reported_whatever_work_another_term_has() throws Exception {
        open(1);
        LeaderWork old = other.submit(() -> gate.enter(ROLE).orElseThrow()).get();
        gate.fenced(1);
        open(2);
        LeaderWork young = gate.enter(ROLE).orElseThrow();
        handsOver(2);
        young.close();
        assertThat(ended).containsExactly(2L);

        gate.listenersDone(1);
        old.close();

        assertThat(ended).containsExactly(2L, 1L);
    }

    /** Begins work on another thread. The result is whether it was interrupted. */
    private Future<Boolean> beginsOn(ExecutorService executor) {
        CountDownLatch entered = new CountDownLatch(1);
        Future<Boolean> interrupted = executor.submit(() -> {
            LeaderWork work = gate.enter(ROLE).orElseThrow();
            entered.countDown();
            try {
                return new CountDownLatch(1).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return true;
            } finally {
                work.close();
            }
        });
        await(entered);
        return interrupted;
    }

    @Test
    void a_fence_interrupts_the_work_of_its_own_term_alone() throws Exception {
        open(1);
        Future<Boolean> interrupted = beginsOn(other);
        gate.revoked(1);
        open(2);
        LeaderWork young = gate.enter(ROLE).orElseThrow();

        gate.fenced(1);

        assertThat(interrupted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        young.close();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void a_fence_interrupts_work_on_a_virtual_thread() throws Exception {
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        open(1);
        Future<Boolean> interrupted = beginsOn(virtual);

        gate.fenced(1);

        assertThat(interrupted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        virtual.shutdown();
    }

    @Test
    void work_within_work_is_part_of_it() {
        LeaderWork outer = begin();
        handsOver(1);

        LeaderWork inner = gate.enter(ROLE).orElseThrow();
        assertThat(inner.leadership()).isSameAs(outer.leadership());
        inner.close();
        assertThat(gate.isCallerInside()).isTrue();
        assertThat(ended).isEmpty();
        assertThat(measured).isEmpty();

        outer.close();
        assertThat(ended).containsExactly(1L);
        assertThat(gate.isCallerInside()).isFalse();
    }

    @Test
    void no_work_begins_within_work_whose_lease_is_over_though_the_fence_is_still_to_come() {
        try (LeaderWork outer = begin()) {
            valid.set(false);
            gate.enter(ROLE).orElseThrow().close(); // like in a handover
            lasts.set(false);
            assertThat(gate.enter(ROLE)).as("after a pause").isEmpty();
            assertThat(outer.leadership()).isNotNull();
        }
    }

    /** For example, the interrupt of a thread that waits for a channel, which it closes. */
    @Test
    void an_interrupt_that_blocks_holds_up_neither_the_fence_nor_other_work() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch works = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicBoolean left = new AtomicBoolean();
        WorkGate slow = gate(callbacks -> new Thread(callbacks).start());
        open(slow, 1);
        Thread worker = new Thread() {
            @Override
            public void run() {
                LeaderWork work = slow.enter(ROLE).orElseThrow();
                works.countDown();
                awaitUninterruptibly(begun);
                work.close();
                left.set(Thread.interrupted());
            }

            @Override
            public void interrupt() {
                begun.countDown();
                awaitUninterruptibly(mayEnd);
                super.interrupt();
                interrupted.set(true);
            }
        };
        worker.start();
        await(works);

        slow.fenced(1);
        slow.listenersDone(1);
        await(begun);
        assertThat(slow.whereWorkRuns()).hasSize(1);
        open(slow, 2);
        slow.enter(ROLE).orElseThrow().close();
        assertThat(fenced).as("the work has not ended").isEmpty();
        mayEnd.countDown();

        worker.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        assertThat(interrupted).isTrue();
        assertThat(left).as("flag left behind").isFalse();
        assertThat(fenced).containsExactly(1L);
    }

    @Test
    void no_work_begins_within_work_that_was_fenced() {
        LeaderWork outer = begin();
        gate.fenced(1);
        open(2);
        assertThat(gate.enter(ROLE)).isEmpty();
        outer.close();
        gate.enter(ROLE).orElseThrow().close();
    }

    @Test
    void an_interrupt_of_somebody_else_survives_work() {
        LeaderWork work = begin();
        Thread.currentThread().interrupt();
        work.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void work_that_ended_is_not_interrupted() throws Exception {
        for (long token = 0; token < 2_000; token++) {
            open(token);
            CountDownLatch entered = new CountDownLatch(1);
            Future<Boolean> flagged = other.submit(() -> {
                LeaderWork work = gate.enter(ROLE).orElseThrow();
                entered.countDown();
                work.close();
                return Thread.currentThread().isInterrupted();
            });
            await(entered);
            gate.fenced(token);
            assertThat(flagged.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("flag after round %d", token)
                    .isFalse();
        }
    }

    @Test
    @SuppressWarnings("try") // the work is only closed
    void the_end_of_fenced_work_within_other_fenced_work_leaves_that_interrupted() {
        WorkGate innerGate = gate(Runnable::run);
        open(1);
        open(innerGate, 1);
        try (LeaderWork outer = gate.enter(ROLE).orElseThrow()) {
            try (LeaderWork inner = innerGate.enter(ROLE).orElseThrow()) {
                gate.fenced(1);
                innerGate.fenced(1);
                assertThat(Thread.interrupted()).isTrue(); // like inner work that is interrupted while it waits
            }
            assertThat(Thread.interrupted()).as("the outer work is interrupted").isTrue();
        }
    }

    @Test
    void detached_work_holds_up_a_handover_until_any_thread_closes_it() throws Exception {
        LeaderWork work = begin();
        work.detach(() -> {});
        handsOver(1);
        assertThat(gate.isCallerInside()).isFalse();
        assertCurrent(null, null);
        assertThat(ended).isEmpty();

        onOther(work::close);
        onOther(work::close);

        assertThat(ended).containsExactly(1L);
    }

    @Test
    void what_begins_after_a_detach_is_no_part_of_the_detached_work() {
        LeaderWork work = begin();
        work.detach(() -> {});
        LeaderWork next = gate.enter(ROLE).orElseThrow();
        gate.revoked(1);
        gate.enter(ROLE).orElseThrow().close(); // part of the next work
        next.close();

        assertThat(gate.enter(ROLE)).isEmpty();

        work.close();
    }

    @Test
    void a_fence_calls_detached_work_once_instead_of_interrupting_its_thread() {
        List<Boolean> callsWithLock = new ArrayList<>();
        LeaderWork work = begin();
        work.detach(() -> callsWithLock.add(Thread.holdsLock(gate)));

        gate.fenced(1);
        gate.fenced(1);

        assertThat(callsWithLock).containsExactly(false);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        work.close();
    }

    @Test
    void work_that_is_fenced_before_its_detach_is_called_at_once_and_its_thread_is_free() {
        LeaderWork work = begin();
        gate.fenced(1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();

        work.detach(calls::incrementAndGet);

        assertThat(calls).hasValue(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        work.close();
    }

    @Test
    void a_callback_that_fails_does_not_keep_the_others_from_being_notified_of_the_fence() throws Exception {
        open(1);
        for (int work = 0; work < 2; work++) {
            gate.enter(ROLE).orElseThrow().detach(() -> {
                calls.incrementAndGet();
                throw new IllegalStateException("meant to fail");
            });
        }
        gate.fenced(1);
        assertThat(calls).hasValue(2);
    }

    @Test
    void a_part_that_is_detached_outlives_the_whole_and_counts_by_itself() {
        open(1);
        LeaderWork outer = gate.enter("invoices").orElseThrow();
        handsOver(1);
        LeaderWork part = gate.enter("reports").orElseThrow();
        part.detach(calls::incrementAndGet);
        assertThat(Leadership.current()).contains(outer.leadership());
        outer.close();
        assertThat(ended).isEmpty();

        gate.fenced(1);
        assertThat(calls).hasValue(1);
        gate.listenersDone(1);
        part.close();

        assertThat(ended).containsExactly(1L);
        assertThat(measured).containsExactly("invoices DRAINED", "reports INTERRUPTED");
    }

    @Test
    void a_part_of_fenced_work_is_called_at_once_and_the_whole_remains_interrupted() {
        LeaderWork outer = begin();
        LeaderWork part = gate.enter(ROLE).orElseThrow();
        gate.fenced(1);

        part.detach(calls::incrementAndGet);

        assertThat(calls).hasValue(1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        part.close();
        outer.close();
    }

    @Test
    void work_can_be_detached_once_only_and_by_its_own_thread() throws Exception {
        LeaderWork work = begin();
        LeaderWork part = gate.enter(ROLE).orElseThrow();
        LeaderWork closed = gate.enter(ROLE).orElseThrow();
        closed.close();
        for (LeaderWork each : List.of(part, work)) {
            assertThatThrownBy(() -> onOther(() -> each.detach(() -> {})))
                    .rootCause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("role 'default'", "the thread that began the work");
            each.detach(() -> {});
        }
        for (LeaderWork each : List.of(part, work, closed)) {
            assertThatThrownBy(() -> each.detach(() -> {})).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void a_part_that_ends_after_the_whole_holds_up_a_handover_and_cannot_be_detached() {
        LeaderWork outer = begin();
        LeaderWork part = gate.enter("reports").orElseThrow();
        handsOver(1);
        outer.close();
        assertThatThrownBy(() -> part.detach(() -> {})).isInstanceOf(IllegalStateException.class);
        assertThat(ended).isEmpty();
        part.close();
        assertThat(ended).containsExactly(1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void a_fence_interrupts_a_part_that_outlives_the_whole(int stepsBeforeEndOfWhole) {
        List<Runnable> interrupts = new ArrayList<>();
        WorkGate waiting = gate(interrupts::add);
        open(waiting, 1);
        LeaderWork outer = waiting.enter(ROLE).orElseThrow();
        LeaderWork part = waiting.enter(ROLE).orElseThrow();
        List<Runnable> steps =
                new ArrayList<>(List.of(() -> waiting.fenced(1), () -> interrupts.forEach(Runnable::run)));
        steps.add(stepsBeforeEndOfWhole, outer::close);
        steps.forEach(Runnable::run);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        part.close();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void the_current_leadership_is_that_of_the_innermost_work_of_the_thread() throws Exception {
        assertThat(Leadership.current()).isEmpty();
        open(1);
        LeaderWork outer = gate.enter("invoices").orElseThrow();
        LeaderWork inner = gate.enter("reports").orElseThrow();
        assertCurrent("reports", "1");
        assertThat(Leadership.current()).contains(inner.leadership());
        onOther(() -> assertCurrent(null, null));

        inner.close();
        assertCurrent("invoices", "1");
        outer.close();
        assertCurrent(null, null);
    }

    @Test
    void work_need_not_end_in_the_order_in_which_it_began() {
        WorkGate otherGate = gate(Runnable::run);
        open(1);
        open(otherGate, 2);
        LeaderWork first = gate.enter("invoices").orElseThrow();
        LeaderWork second = otherGate.enter("reports").orElseThrow();
        assertCurrent("reports", "2");

        first.close();
        assertCurrent("reports", "2");
        second.close();
        assertCurrent(null, null);
    }

    @Test
    void the_logging_context_that_was_there_before_comes_back() {
        MDC.put("neli.role", "of-a-caller");
        LeaderWork work = begin();
        assertCurrent(ROLE, "1");
        work.close();
        assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("neli.role", "of-a-caller"));
        MDC.clear();
    }

    @Test
    void work_that_another_thread_closes_does_not_stay_current() throws Exception {
        LeaderWork work = begin();

        onOther(work::close);

        assertThat(Leadership.current()).isEmpty();
        assertCurrent(null, null);
    }

    private static void assertCurrent(@Nullable String role, @Nullable String token) {
        assertThat(Leadership.current().map(Leadership::role)).isEqualTo(Optional.ofNullable(role));
        assertThat(MDC.get("neli.role")).isEqualTo(role);
        assertThat(MDC.get("neli.token")).isEqualTo(token);
    }

    private void onOther(Runnable task) throws Exception {
        other.submit(task).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** A run that closes the election waits for the records of other jobs, but not for its own. */
    @Test
    void a_thread_waits_for_what_does_not_follow_its_own_work() throws InterruptedException {
        open(1);
        RunningWork hold = gate.hold(ROLE).orElseThrow();
        gate.revoked(1);
        assertThat(closesAlone()).isFalse();
        hold.endsAfter(Thread.currentThread());
        assertThat(closesAlone()).isTrue();
        hold.endsAfter(null);
        assertThat(closesAlone()).isFalse();
        hold.close();
        assertThat(closesAlone()).isTrue();
    }

    /** The gate knows of the end of a term before the listeners do. */
    @Test
    void work_that_closes_waits_for_listeners_that_are_not_notified_yet() throws InterruptedException {
        open(1);
        gate.revoked(1);
        assertThat(closes(true)).isFalse();
        assertThat(closesAlone()).isTrue(); // a listener that closes
        gate.listenersDone(1);
        assertThat(closes(true)).isTrue();
    }

    private boolean closesAlone() throws InterruptedException {
        return closes(false);
    }

    private boolean closes(boolean afterListeners) throws InterruptedException {
        Deadline now = Deadline.after(Duration.ZERO, MemberClock.system());
        return gate.awaitOthers(Set.of(Thread.currentThread()), afterListeners, now);
    }
}
