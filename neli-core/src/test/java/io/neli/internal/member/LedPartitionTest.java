package io.neli.internal.member;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.NeliMetrics;
import io.neli.internal.shell.MetricsReporter;
import io.neli.internal.shell.Terms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class LedPartitionTest {

    private static final int NUMBER = 3;
    private static final LeaderEvent ACQUIRED = new LeaderAcquired("partition-3", NUMBER, 7);
    private static final LeaderEvent REVOKED = new LeaderRevoked("partition-3", NUMBER, 7, RevokeReason.PAUSED);
    private static final LeaderEvent FENCED = new LeaderFenced("partition-3", NUMBER, 7, FenceReason.SUPERSEDED);

    private final List<LeaderEvent> received = new CopyOnWriteArrayList<>();
    private final List<Long> drained = new CopyOnWriteArrayList<>();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(); // the common pool may have only one thread, which waits
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger unprepared = new AtomicInteger();
    private final List<LeaderListener> listeners = new CopyOnWriteArrayList<>(List.of(received::add));
    private final WorkGate gate = new WorkGate(
            Runnable::run, (token, fenced) -> drained.add(token), ObservedGate.NO_LIMIT, ObservedGate.NO_METRICS);
    private final List<LeaderEvent> measured = new CopyOnWriteArrayList<>();
    private final MetricsReporter metrics = new MetricsReporter(List.of(new NeliMetrics() {
        @Override
        public void changed(LeaderEvent event) {
            measured.add(event);
        }
    }));
    private final EventThread events = new EventThread("events-under-test", "group", listeners, ObservedGate.NO_LIMIT);
    private final LedPartition partition = partition((number, token) -> false, gate);

    private LedPartition partition(Terms terms, WorkGate itsGate) {
        return new LedPartition(
                NUMBER,
                List.of("invoices", "reports"),
                terms,
                events,
                itsGate,
                metrics,
                unprepared::incrementAndGet,
                prepared -> {});
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        events.close();
    }

    /** Makes the listener wait at the last role's event of this kind, and returns the latch that releases it. */
    private CountDownLatch hold(Class<? extends LeaderEvent> kind) {
        CountDownLatch release = new CountDownLatch(1);
        listeners.add(0, event -> {
            if (kind.isInstance(event) && event.role().equals("reports")) {
                held.countDown();
                await(release);
            }
        });
        return release;
    }

    private Future<Void> opening() {
        return threads.submit(() -> {
            gate.awaitOpen(() -> false);
            return null;
        });
    }

    @Test
    void work_may_begin_when_the_listeners_have_prepared_for_every_role() {
        CountDownLatch release = hold(LeaderAcquired.class);
        Future<Void> opening = opening();
        partition.onEvent(ACQUIRED);
        await(held);
        assertThat(opening).isNotDone();
        assertThat(partition.preparingFor()).isPositive();

        release.countDown();

        assertThat(opening).succeedsWithin(PATIENCE);
        assertThat(partition.preparingFor()).isZero();
        assertThat(unprepared).hasValue(0);
    }

    @Test
    void a_listener_that_throws_for_one_role_keeps_the_gate_shut_and_the_others_are_notified() {
        listeners.add(0, event -> {
            if (event.role().equals("invoices")) {
                Thread.currentThread().interrupt();
                BackgroundTasksTest.<RuntimeException>fail();
            }
        });
        AtomicBoolean leftBehind = new AtomicBoolean();
        listeners.add(
                event -> leftBehind.compareAndSet(false, Thread.currentThread().isInterrupted()));
        Future<Void> opening = opening();
        partition.onEvent(ACQUIRED);

        eventually().untilAtomic(unprepared, value -> assertThat(value).isEqualTo(1));
        assertThat(leftBehind).as("an interrupt of another listener").isFalse();

        assertThat(received)
                .containsExactly(new LeaderAcquired("invoices", NUMBER, 7), new LeaderAcquired("reports", NUMBER, 7));
        assertThat(opening).isNotDone();
    }

    static List<LeaderEvent> ends() {
        return List.of(REVOKED, FENCED);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void a_term_has_drained_when_the_listeners_of_every_role_have_returned(LeaderEvent end) {
        CountDownLatch release = hold(end.getClass());
        partition.onEvent(ACQUIRED);
        partition.onEvent(end);
        await(held);
        assertThat(drained).isEmpty();

        release.countDown();

        eventually().untilAsserted(() -> assertThat(drained).containsExactly(7L));
    }

    @Test
    void a_term_has_drained_though_a_listener_fails_even_with_causes_that_go_round_in_a_circle() {
        Exception first = new IllegalStateException("meant to fail");
        RuntimeException second = new IllegalStateException("meant to fail, too", first);
        first.initCause(second);
        listeners.add(0, event -> {
            throw second;
        });
        partition.onEvent(ACQUIRED);
        partition.onEvent(REVOKED);

        eventually().untilAsserted(() -> assertThat(drained).containsExactly(7L));
        assertThat(unprepared).hasValue(1);
        assertThat(received).hasSize(4);
    }

    @Test
    void a_change_is_measured_at_once_for_every_role_though_a_listener_hangs() {
        CountDownLatch release = hold(LeaderAcquired.class);
        partition.onEvent(ACQUIRED);
        await(held);
        partition.onEvent(FENCED);

        assertThat(measured)
                .containsExactly(
                        new LeaderAcquired("invoices", NUMBER, 7),
                        new LeaderAcquired("reports", NUMBER, 7),
                        new LeaderFenced("invoices", NUMBER, 7, FenceReason.SUPERSEDED),
                        new LeaderFenced("reports", NUMBER, 7, FenceReason.SUPERSEDED));
        release.countDown();
    }

    @Test
    void who_waits_for_leadership_gets_the_term_that_ended_the_wait() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        LedPartition lapsing = partition((number, token) -> asked.incrementAndGet() == 1, gate);
        lapsing.onEvent(ACQUIRED);

        assertThat(lapsing.awaitLeadership("invoices", PATIENCE)).isPresent();
    }

    /** As if no other thread could be started. */
    @Test
    void a_fence_whose_work_cannot_be_interrupted_still_comes_and_the_term_ends_with_the_work() {
        WorkGate uninterruptible = new WorkGate(
                callbacks -> {
                    throw new IllegalStateException("meant to fail");
                },
                (token, fenced) -> drained.add(token),
                ObservedGate.NO_LIMIT,
                metrics);
        LedPartition led = partition((number, token) -> true, uninterruptible);
        led.onEvent(ACQUIRED);
        LeaderWork work = eventually()
                .until(() -> uninterruptible.enter("invoices"), Optional::isPresent)
                .orElseThrow();

        led.onEvent(FENCED);
        work.close();

        eventually().untilAsserted(() -> assertThat(drained).containsExactly(7L));
        assertThat(received).hasSize(4);
    }
}
