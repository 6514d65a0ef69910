package io.neli.internal.member;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

    private final List<LeaderEvent> received = new CopyOnWriteArrayList<>();
    private final List<Long> drained = new CopyOnWriteArrayList<>();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(); // the common pool may have only one thread, which waits
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger unprepared = new AtomicInteger();
    private final List<LeaderListener> listeners = new CopyOnWriteArrayList<>(List.of(received::add));
    private final WorkGate gate = new WorkGate(
            Runnable::run, (token, fenced) -> drained.add(token), ObservedGate.NO_LIMIT, new NeliMetrics() {});
    private final List<LeaderEvent> measured = new CopyOnWriteArrayList<>();
    private final NeliMetrics metrics = new NeliMetrics() {
        @Override
        public void changed(LeaderEvent event) {
            measured.add(event);
        }
    };
    private final EventThread events = new EventThread("events-under-test", "group", listeners, ObservedGate.NO_LIMIT);
    private final LedPartition partition = new LedPartition(
            NUMBER,
            List.of("invoices", "reports"),
            (number, token) -> false,
            events,
            gate,
            metrics,
            unprepared::incrementAndGet,
            prepared -> {});

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

    private CompletableFuture<Void> opening() {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        gate.awaitOpen(() -> false);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
    }

    @Test
    void work_may_begin_when_the_listeners_have_prepared_for_every_role() {
        CountDownLatch release = hold(LeaderAcquired.class);
        CompletableFuture<Void> opening = opening();
        partition.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));
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
                throw new IllegalStateException("meant to fail");
            }
        });
        CompletableFuture<Void> opening = opening();
        partition.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));

        eventually().untilAtomic(unprepared, value -> assertThat(value).isEqualTo(1));

        assertThat(received)
                .containsExactly(new LeaderAcquired("invoices", NUMBER, 7), new LeaderAcquired("reports", NUMBER, 7));
        assertThat(opening).isNotDone();
    }

    static List<LeaderEvent> ends() {
        return List.of(
                new LeaderRevoked("partition-3", NUMBER, 7, RevokeReason.PAUSED),
                new LeaderFenced("partition-3", NUMBER, 7, FenceReason.SUPERSEDED));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void a_term_has_drained_when_the_listeners_of_every_role_have_returned(LeaderEvent end) {
        CountDownLatch release = hold(end.getClass());
        partition.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));
        partition.onEvent(end);
        await(held);
        assertThat(drained).isEmpty();

        release.countDown();

        eventually().untilAsserted(() -> assertThat(drained).containsExactly(7L));
    }

    /** Throws a checked exception, as a listener written in Kotlin may. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> void fail() throws E {
        throw (E) new IOException("meant to fail");
    }

    @Test
    void a_checked_exception_that_nobody_declared_is_like_any_other() {
        listeners.add(0, event -> LedPartitionTest.<IllegalStateException>fail());
        partition.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));
        partition.onEvent(new LeaderRevoked("partition-3", NUMBER, 7, RevokeReason.CLOSING));

        eventually().untilAsserted(() -> assertThat(drained).containsExactly(7L));
        assertThat(unprepared).hasValue(1);
        assertThat(received).hasSize(4);
    }

    @Test
    void a_failure_whose_causes_go_round_in_a_circle_is_like_any_other() {
        Exception first = new IllegalStateException("meant to fail");
        RuntimeException second = new IllegalStateException("meant to fail, too", first);
        first.initCause(second);
        listeners.add(0, event -> {
            throw second;
        });
        partition.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));

        eventually().untilAtomic(unprepared, value -> assertThat(value).isEqualTo(1));
    }

    @Test
    void a_change_is_measured_at_once_for_every_role_though_a_listener_hangs() {
        CountDownLatch release = hold(LeaderAcquired.class);
        partition.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));
        await(held);
        partition.onEvent(new LeaderFenced("partition-3", NUMBER, 7, FenceReason.SUPERSEDED));

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
        LedPartition lapsing = new LedPartition(
                NUMBER,
                List.of("invoices"),
                (number, token) -> asked.incrementAndGet() == 1,
                events,
                gate,
                metrics,
                () -> {},
                prepared -> {});
        lapsing.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));

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
        LedPartition led = new LedPartition(
                NUMBER,
                List.of("invoices"),
                (number, token) -> true,
                events,
                uninterruptible,
                metrics,
                () -> {},
                prepared -> {});
        led.onEvent(new LeaderAcquired("partition-3", NUMBER, 7));
        LeaderWork work = eventually()
                .until(() -> uninterruptible.enter("invoices"), Optional::isPresent)
                .orElseThrow();

        led.onEvent(new LeaderFenced("partition-3", NUMBER, 7, FenceReason.SUPERSEDED));
        work.close();

        eventually().untilAsserted(() -> assertThat(drained).containsExactly(7L));
        assertThat(received).hasSize(2);
    }
}
