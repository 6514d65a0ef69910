package io.neli.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.EventRecorder;
import io.neli.Job;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A listener or work closes the election, so the close cannot wait for its caller. */
class CloseFromInsideTest {

    private final EventRecorder events = new EventRecorder();
    private final AtomicReference<Runnable> onRevoked = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> onAcquired = new AtomicReference<>(() -> {});
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicBoolean workIsDone = new AtomicBoolean();
    private final FakeNeli neli = FakeNeli.builder()
            .name("inside")
            .roles("invoices", "mail")
            .partitions(2)
            .leading(false)
            .handoverTimeout(PATIENCE.multipliedBy(2))
            .listener(events)
            .listener(event -> {
                if (event instanceof LeaderAcquired && event.role().equals("mail")) {
                    onAcquired.get().run();
                } else if (event instanceof LeaderRevoked) {
                    onRevoked.get().run();
                }
            })
            .start();

    @AfterEach
    void end() {
        release.countDown();
        neli.close();
        threads.shutdownNow();
    }

    /** Does work in role invoices on another thread, until it is released. */
    private void workElsewhere() {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> unused = CompletableFuture.runAsync(
                () -> {
                    try (LeaderWork work = neli.beginWork("invoices").orElseThrow()) {
                        begun.countDown();
                        await(release);
                        assertThat(work.leadership().role()).isEqualTo("invoices");
                        workIsDone.set(true);
                    }
                },
                threads);
        await(begun);
    }

    @Test
    void a_listener_that_closes_waits_for_work() {
        neli.acquire("invoices");
        workElsewhere();
        AtomicBoolean workHadEnded = new AtomicBoolean();
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        onAcquired.set(() -> {
            closing.countDown();
            neli.close();
            workHadEnded.set(workIsDone.get());
            closed.countDown();
        });
        CompletableFuture<Void> acquiring = CompletableFuture.runAsync(() -> neli.acquire("mail"), threads);
        await(closing);
        eventually().until(() -> !neli.isLeader("invoices"));
        assertThat(closed.getCount()).isEqualTo(1);

        release.countDown();

        await(closed);
        assertThat(workHadEnded).isTrue();
        assertThat(events.of(LeaderFenced.class)).isEmpty();
        eventually().until(acquiring::isDone);
        eventually()
                .untilAsserted(() -> assertThat(events.of(LeaderRevoked.class)).hasSize(2));
    }

    @Test
    void acquire_returns_if_a_listener_closes() {
        onAcquired.set(neli::close);

        neli.acquire("mail");

        eventually().until(() -> !events.of(LeaderRevoked.class).isEmpty());
    }

    /** The handover waits until the end of the run is recorded, and the run ends after its close. */
    @Test
    void a_job_that_closes_does_not_wait_for_the_end_of_its_own_run() throws InterruptedException {
        Job.Schedule hourly = new Job.FixedRate(Duration.ofHours(1), Duration.ZERO);
        neli.schedule(new Job("closing", "mail", hourly, Job.Guarantee.AT_LEAST_ONCE, threads, run -> neli.close()));

        neli.acquire("mail");

        neli.awaitClosed();
        assertThat(events.of(LeaderRevoked.class)).hasSize(1);
        assertThat(events.of(LeaderFenced.class)).isEmpty();
    }

    @Test
    void work_that_closes_waits_for_other_work_and_for_listeners() {
        neli.acquire("invoices");
        neli.acquire("mail");
        workElsewhere();
        CountDownLatch listenerMayReturn = new CountDownLatch(1);
        AtomicBoolean listenerReturned = new AtomicBoolean();
        onRevoked.set(() -> {
            await(listenerMayReturn);
            listenerReturned.set(true);
        });
        CompletableFuture<Boolean> closing = CompletableFuture.supplyAsync(
                () -> {
                    try (LeaderWork work = neli.beginWork("mail").orElseThrow()) {
                        neli.close();
                        assertThat(work.leadership().isValid()).isFalse();
                        return workIsDone.get() && listenerReturned.get();
                    }
                },
                threads);
        eventually().until(() -> !neli.isLeader("invoices"));
        release.countDown();
        eventually().untilTrue(workIsDone);
        assertThat(closing).isNotDone();

        listenerMayReturn.countDown();

        assertThat(closing).succeedsWithin(PATIENCE).isEqualTo(true);
        assertThat(events.of(LeaderFenced.class)).isEmpty();
    }

    @Test
    void two_pieces_of_work_that_close_do_not_wait_for_each_other() {
        neli.acquire("invoices");
        neli.acquire("mail");
        CountDownLatch both = new CountDownLatch(2);
        CompletableFuture<Void> first = closeFrom("invoices", both);
        CompletableFuture<Void> second = closeFrom("mail", both);

        assertThat(first).succeedsWithin(PATIENCE);
        assertThat(second).succeedsWithin(PATIENCE);
        assertThat(events.of(LeaderFenced.class)).isEmpty();
    }

    private CompletableFuture<Void> closeFrom(String role, CountDownLatch both) {
        return CompletableFuture.runAsync(
                () -> {
                    try (LeaderWork work = neli.beginWork(role).orElseThrow()) {
                        both.countDown();
                        await(both);
                        neli.close();
                        assertThat(work.leadership().isValid()).isFalse();
                    }
                },
                threads);
    }
}
