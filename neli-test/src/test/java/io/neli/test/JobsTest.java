package io.neli.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.time.temporal.UnsupportedTemporalTypeException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Jobs of members with a clock that only the test moves. */
@Timeout(240)
class JobsTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final FakeNeli neli = FakeNeli.builder()
            .handoverTimeout(Duration.ofMinutes(1))
            .leading(true)
            .build();
    private final Instant start = Instant.now();
    private final List<Job.Run> runs = new CopyOnWriteArrayList<>();

    private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final AtomicBoolean free = new AtomicBoolean();
    /** An executor whose threads are busy with other work until {@link #free} is set. */
    private final Executor whenFree = task -> {
        if (free.get()) {
            threads.execute(task);
        } else {
            waiting.add(task);
        }
    };

    @AfterEach
    void end() {
        neli.close();
        threads.shutdownNow();
    }

    private Job daily(Job.Task task) {
        return new Job("job", neli.defaultRole(), new Job.FixedRate(DAY, DAY), Guarantee.AT_LEAST_ONCE, threads, task);
    }

    /** A run may wait for a thread, because many jobs may share one. */
    @Test
    void a_run_that_waited_for_a_thread_when_its_leader_handed_over_is_made_up_for() throws InterruptedException {
        neli.schedule(new Job(
                "job", neli.defaultRole(), new Job.FixedRate(DAY, DAY), Guarantee.AT_MOST_ONCE, whenFree, runs::add));
        neli.start();
        CompletableFuture<Void> due =
                CompletableFuture.runAsync(() -> neli.dueAt(start.plus(DAY).plusSeconds(9)), threads);
        Runnable queued = waiting.poll(1, TimeUnit.MINUTES);
        neli.revoke();
        queued.run();
        due.join();
        assertThat(runs).isEmpty();
        free.set(true);
        neli.acquire();
        neli.dueAt(start.plus(DAY).plusSeconds(10));
        assertThat(runs).hasSize(1);
    }

    /** Otherwise the job would never run, and only a line of the log would say so. */
    @Test
    void a_schedule_that_throws_is_refused() {
        Job.Schedule monthly = new Job.Times("monthly", time -> time.plus(1, ChronoUnit.MONTHS)); // no Instant can
        Job job = new Job("job", neli.defaultRole(), monthly, Guarantee.AT_LEAST_ONCE, threads, runs::add);

        assertThatExceptionOfType(UnsupportedTemporalTypeException.class).isThrownBy(() -> neli.schedule(job));

        assertThat(neli.snapshot().jobs()).isEmpty();
    }

    @Test
    void a_schedule_that_throws_later_does_not_affect_other_jobs() {
        AtomicBoolean fails = new AtomicBoolean();
        Job.Schedule failing = new Job.Times("failing", time -> {
            if (fails.get()) {
                JobsTest.<RuntimeException>fail();
            }
            return time.plus(DAY);
        });
        for (String name : List.of("a", "b", "c")) {
            neli.schedule(new Job(name, neli.defaultRole(), failing, Guarantee.AT_LEAST_ONCE, threads, run -> {}));
        }
        neli.schedule(daily(runs::add));
        neli.start();
        neli.dueAt(start);
        fails.set(true);
        neli.dueAt(start.plus(DAY).plusSeconds(9));
        assertThat(runs).hasSize(1);
    }

    /** Throws neither an exception nor an error: Kotlin allows to throw anything. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void fail() throws E {
        throw (E) new Throwable("meant to fail");
    }

    /** Some code keeps the interrupt and returns, and some forgets it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_run_that_returns_because_it_was_interrupted_is_repeated(boolean keeps) {
        CountDownLatch begun = new CountDownLatch(1);
        neli.schedule(daily(run -> {
            runs.add(run);
            if (!run.repeated()) {
                begun.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
                }
                if (!keeps) {
                    Thread.interrupted();
                }
            }
        }));
        neli.start();
        CompletableFuture<Void> due =
                CompletableFuture.runAsync(() -> neli.dueAt(start.plus(DAY).plusSeconds(9)), threads);
        eventually().until(() -> begun.getCount() == 0);
        neli.fence();
        due.join();
        neli.acquire();
        neli.dueAt(start.plus(DAY).plusSeconds(10));
        assertThat(runs).extracting(Job.Run::repeated).containsExactly(false, true);
    }

    @Test
    void a_run_that_waited_for_a_thread_when_its_leader_was_fenced_is_made_up_for() throws InterruptedException {
        try (FakeNeli fake =
                FakeNeli.builder().leading(true).interruptOnFence(false).build()) {
            fake.schedule(new Job(
                    "job",
                    fake.defaultRole(),
                    new Job.FixedRate(DAY, DAY),
                    Guarantee.AT_MOST_ONCE,
                    whenFree,
                    runs::add));
            fake.start();
            Instant time = start.plus(DAY).plusSeconds(9);
            CompletableFuture<Void> due = CompletableFuture.runAsync(() -> fake.dueAt(time), threads);
            Runnable queued = waiting.poll(1, TimeUnit.MINUTES);
            fake.fence();
            free.set(true);
            fake.acquire();
            due.join();
            fake.dueAt(time.plusSeconds(1));
            queued.run();
        }
        assertThat(runs).hasSize(1);
    }

    /** Its first run would be due before the group saw the job, whose record it could not be told from. */
    @Test
    void a_negative_initial_delay_is_refused() {
        Duration negative = Duration.ofMillis(-1);
        assertThatThrownBy(() -> new Job.FixedRate(DAY, negative))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("the initial delay of a job is 'PT-0.001S'")
                .hasMessageContaining("use 0 ms or more");
        assertThatThrownBy(() -> new Job.FixedDelay(DAY, Duration.ofSeconds(Long.MIN_VALUE)))
                .isInstanceOf(NeliException.class);
    }

    @Test
    void a_date_that_cannot_be_reached_is_refused_at_once() {
        neli.schedule(daily(runs::add));
        neli.start();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> neli.dueAt(Instant.MAX))
                .withMessageContaining(Instant.MAX.toString());
        neli.dueAt(start.plus(DAY).plusSeconds(9));
        assertThat(runs).hasSize(1);
    }

    @Test
    void the_clock_is_not_moved_inside_a_run() {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        neli.schedule(daily(run -> {
            thrown.add(catchThrowable(() -> neli.dueAt(start)));
            thrown.add(catchThrowable(neli::reset));
        }));
        neli.start();
        neli.dueAt(start.plus(DAY).plusSeconds(9));
        assertThat(thrown).hasSize(2).allSatisfy(each -> assertThat(each)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call it on another thread"));
    }

    @Test
    void a_job_whose_executor_fails_runs_later() {
        AtomicBoolean failed = new AtomicBoolean();
        Executor failing = task -> {
            if (!failed.getAndSet(true)) {
                throw new IllegalStateException("meant to fail");
            }
            threads.execute(task);
        };
        neli.schedule(new Job(
                "job", neli.defaultRole(), new Job.FixedRate(DAY, DAY), Guarantee.AT_MOST_ONCE, failing, runs::add));
        neli.start();
        CompletableFuture<Void> due =
                CompletableFuture.runAsync(() -> neli.dueAt(start.plus(DAY).plusSeconds(9)), threads);
        eventually().until(() -> runs.size() == 1);
        due.join();
    }

    @Test
    void a_job_that_is_scheduled_again_does_not_overlap_with_its_run() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        neli.schedule(daily(run -> {
            runs.add(run);
            begun.countDown();
            mayEnd.await();
        }));
        neli.start();
        CompletableFuture<Void> due =
                CompletableFuture.runAsync(() -> neli.dueAt(start.plus(DAY).plusSeconds(9)), threads);
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        List<Job.Run> others = new CopyOnWriteArrayList<>();
        neli.unschedule("job");
        neli.schedule(daily(others::add));
        CountDownLatch seen = new CountDownLatch(1);
        neli.schedule(new Job(
                "other",
                neli.defaultRole(),
                new Job.FixedRate(DAY, Duration.ZERO),
                Guarantee.AT_LEAST_ONCE,
                threads,
                run -> seen.countDown()));
        assertThat(seen.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(others).isEmpty();

        mayEnd.countDown();
        due.join();
        neli.dueAt(start.plus(DAY.multipliedBy(2)).plusSeconds(9));
        assertThat(runs).hasSize(1);
        assertThat(others).extracting(Job.Run::repeated).containsExactly(false);
    }

    @Test
    void a_reset_forgets_the_runs_and_sets_the_clock_back() {
        neli.schedule(daily(runs::add));
        neli.start();
        for (int test = 1; test <= 2; test++) {
            neli.dueAt(start.plus(DAY).plusSeconds(9));
            assertThat(runs).hasSize(test);
            neli.reset();
            assertThat(neli.isLeader()).isTrue();
        }
        assertThat(runs).extracting(Job.Run::repeated).containsExactly(false, false);
    }

    @Test
    void a_reset_waits_for_what_is_due_at_once_and_after_it_another_changes_nothing() {
        Job.Schedule atOnce = new Job.FixedRate(DAY, Duration.ZERO);
        neli.schedule(new Job("job", neli.defaultRole(), atOnce, Guarantee.AT_LEAST_ONCE, threads, runs::add));
        neli.start();
        eventually().until(() -> runs.size() == 1);

        neli.reset();
        assertThat(runs).hasSize(2);
        neli.reset();
        assertThat(runs).hasSize(2);
    }

    @Test
    void a_reset_forgets_a_run_that_did_not_end() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        neli.schedule(daily(run -> {
            runs.add(run);
            begun.countDown();
            mayEnd.await();
        }));
        neli.start();
        neli.runNow("job");
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        neli.fence();
        neli.reset();

        mayEnd.countDown();
        neli.dueAt(start);
        assertThat(runs).hasSize(1);
    }

    @Test
    void a_clock_that_was_ahead_is_reported_until_its_time_has_come() {
        neli.schedule(daily(runs::add));
        neli.start();
        neli.dueAt(start.plus(DAY.multipliedBy(3)));
        neli.dueAt(start.plus(DAY));
        assertThat(neli.snapshot().problem()).hasValueSatisfying(problem -> assertThat(problem)
                .contains("job 'job': a run is recorded for", "set the clocks"));
        neli.revoke();
        neli.acquire();
        neli.dueAt(start.plus(DAY.multipliedBy(2)));
        assertThat(neli.snapshot().problem()).isPresent();
        assertThat(runs).hasSize(1);
        neli.dueAt(start.plus(DAY.multipliedBy(4)));
        assertThat(runs).hasSize(2);
        assertThat(neli.snapshot().problem()).isEmpty();
    }
}
