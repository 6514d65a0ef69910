package io.neli.internal.member;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliSnapshot;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class JobRunnerTest {

    private static final Job.Schedule ONCE = new Job.FixedRate(Duration.ofDays(1), Duration.ZERO);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger searches = new AtomicInteger();
    private final List<Job> jobs = new CopyOnWriteArrayList<>() {
        @Override
        public boolean contains(Object job) {
            searches.incrementAndGet();
            return super.contains(job);
        }
    };

    private final AtomicBoolean leads = new AtomicBoolean(true);
    private final AtomicBoolean drained = new AtomicBoolean();
    private final WorkGate gate = new WorkGate(
            callbacks -> {}, // like neli.work.interrupt-on-fence=false
            (token, fenced) -> drained.set(true),
            ObservedGate.NO_LIMIT,
            ObservedGate.NO_METRICS);
    private final AtomicBoolean lasts = new AtomicBoolean(true);
    private final TermLeadership term = ObservedGate.term(1, this::leads, lasts::get);
    private final AtomicReference<Thread> failing = new AtomicReference<>();
    private final List<JobRunner> runners = new ArrayList<>();

    private boolean leads() {
        if (failing.compareAndSet(Thread.currentThread(), null)) {
            throw new IllegalStateException("meant to fail");
        }
        return leads.get();
    }

    @BeforeEach
    void opens() {
        gate.acquired(term);
        gate.open(term);
    }

    @AfterEach
    void end() {
        runners.forEach(JobRunner::close);
        threads.shutdownNow();
    }

    private Job job(Job.Schedule schedule, Executor executor, Job.Task task) {
        return new Job("job", ObservedGate.ROLE, schedule, Guarantee.AT_LEAST_ONCE, executor, task);
    }

    private void addTwo(Executor executor, Job.Task task) {
        jobs.add(job(ONCE, executor, task));
        jobs.add(new Job("other", ObservedGate.ROLE, ONCE, Guarantee.AT_LEAST_ONCE, executor, task));
    }

    private JobRunner runner(Intercepted store) {
        JobRunner runner =
                new JobRunner(MemberNeliTest.settings(), jobs, store(store), role -> gate, InstantSource.system());
        runners.add(runner);
        return runner;
    }

    /** A runner with the jobs that exist at this moment, in a term that has begun. */
    private JobRunner begun(Intercepted store) {
        JobRunner runner = runner(store);
        runner.begin(term);
        return runner;
    }

    private JobRunner begun(Job job) {
        jobs.add(job);
        return begun((method, otherwise) -> otherwise.call());
    }

    private JobRunner knowing(Job job, RunRecord last) {
        jobs.add(job);
        Map<RunKey, RunRecord> known = Map.of(new RunKey(last.job(), 0, 0), last);
        return begun((method, otherwise) -> method.equals("read") ? known : otherwise.call());
    }

    /** What a method of the store does. */
    private interface Intercepted {
        Object call(String method, Callable<Object> otherwise) throws Exception;
    }

    private static RunStore store(Intercepted intercepted) {
        RunStore records = RunStore.inMemory(new ConcurrentHashMap<>());
        return (RunStore) Proxy.newProxyInstance(
                JobRunnerTest.class.getClassLoader(),
                new Class<?>[] {RunStore.class},
                (proxy, method, arguments) ->
                        intercepted.call(method.getName(), () -> method.invoke(records, arguments)));
    }

    @Test
    void a_run_that_ends_after_the_close_does_not_keep_the_next_start_waiting() {
        MemberSettings settings = MemberNeliTest.settings();
        MemberNeli neli = new MemberNeli(settings, events -> new DisabledEngine(settings, true, events));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        neli.schedule(job(ONCE, threads, run -> {
            begun.countDown();
            mayEnd.await();
        }));
        neli.start();
        await(begun);
        neli.close();
        mayEnd.countDown();
        neli.start();
        eventually().until(neli::isLeader);
        neli.close();
    }

    @Test
    void a_run_that_comes_too_late_to_begin_does_not_keep_a_handover_waiting_though_nothing_can_be_recorded() {
        jobs.add(job(
                ONCE,
                run -> {
                    gate.revoked(term.token());
                    leads.set(false);
                    run.run();
                },
                run -> {}));
        JobRunner runner = begun((method, otherwise) -> method.equals("write") && !leads.get()
                ? CompletableFuture.failedFuture(new IllegalStateException("not now"))
                : otherwise.call());
        eventually().until(() -> !leads.get());
        gate.listenersDone(term.token());
        eventually().untilTrue(drained);
    }

    @Test
    void an_interrupted_thread_too_closes_the_store_only_when_it_is_not_used_any_more() {
        Thread closer = Thread.currentThread();
        CountDownLatch used = new CountDownLatch(1);
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean closedInUse = new AtomicBoolean();
        jobs.add(job(ONCE, threads, run -> {}));
        JobRunner runner = runner((method, otherwise) -> {
            closed.compareAndSet(false, method.equals("close"));
            if (!method.equals("prepare")) {
                return otherwise.call();
            }
            used.countDown();
            try {
                return new CountDownLatch(1).await(1, TimeUnit.DAYS);
            } finally { // takes time, like a client that must be closed first
                eventually().until(() -> closed.get() || closer.getState() == Thread.State.TIMED_WAITING);
                closedInUse.set(closed.get());
            }
        });
        runner.start();
        await(used);
        closer.interrupt();
        runner.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(closed).isTrue();
        assertThat(closedInUse).isFalse();
    }

    /** Otherwise each would wait, and the store would be closed while it is used. */
    @Test
    void a_close_interrupts_all_writes_of_a_step() throws InterruptedException {
        BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
        BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
        addTwo(waiting::add, run -> {});
        JobRunner runner = begun((method, otherwise) -> {
            if (!leads.get() && method.equals("write")) {
                interrupted.add(Thread.currentThread().isInterrupted());
                new CountDownLatch(1).await();
            }
            return otherwise.call();
        });
        eventually().until(() -> waiting.size() == 2);
        leads.set(false);
        runner.termEnded();
        assertThat(interrupted.poll(1, TimeUnit.MINUTES)).isFalse();
        runner.close();
        assertThat(interrupted).containsExactly(true);
    }

    /** As if a heartbeat were read a moment after the lease's end, and nobody had asked meanwhile. */
    @ParameterizedTest
    @EnumSource
    void a_run_that_fails_while_the_lease_seems_over_is_repeated_or_has_failed(Guarantee guarantee) {
        List<Boolean> repeated = new CopyOnWriteArrayList<>();
        Executor executor = run -> threads.execute(() -> {
            run.run();
            lasts.set(true);
        });
        JobRunner runner = begun(new Job("job", ObservedGate.ROLE, ONCE, guarantee, executor, run -> {
            repeated.add(run.repeated());
            if (!run.repeated()) {
                lasts.set(false);
                BackgroundTasksTest.<RuntimeException>fail();
            }
        }));
        eventually().untilAsserted(() -> assertThat(runner.snapshot().get(0).last())
                .hasValueSatisfying(last -> assertThat(last.ended()).isPresent()));
        assertThat(repeated).isEqualTo(guarantee == Guarantee.AT_LEAST_ONCE ? List.of(false, true) : List.of(false));
    }

    /** As a client throws it if there are too many threads. */
    @ParameterizedTest
    @CsvSource({"read, none", "write, none", "forget, none", "read, describe", "write, describe"})
    void an_error_of_the_store_keeps_no_job_from_running(String failing, String failingToo) {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(2);
        addTwo(threads, run -> ran.countDown());
        RunRecord since = new RunRecord("job", Instant.now(), null, null, false, ONCE.text(), "member", 0);
        begun((method, otherwise) -> {
            if (method.equals(failingToo) || (method.equals(failing) && calls.getAndIncrement() == 0)) {
                throw new OutOfMemoryError("meant to fail");
            }
            return method.equals("read") ? Map.of(new RunKey("job", 0, 0), since) : otherwise.call();
        });
        eventually().until(() -> ran.getCount() == 0);
        assertThat(calls).hasPositiveValue();
    }

    /** Otherwise the job would not run again in this term. */
    @Test
    void a_schedule_that_throws_is_asked_again() {
        AtomicInteger runs = new AtomicInteger();
        AtomicBoolean fails = new AtomicBoolean();
        AtomicInteger failures = new AtomicInteger();
        Job.Times times = new Job.Times("often", time -> {
            if (fails.get()) {
                failures.incrementAndGet();
                throw new IllegalStateException("meant to fail");
            }
            return time.plusMillis(10);
        });
        begun(job(times, threads, run -> runs.incrementAndGet()));
        eventually().until(() -> runs.get() > 0);
        fails.set(true);
        eventually().until(() -> failures.get() > 2);
        int before = runs.get();
        fails.set(false);
        eventually().until(() -> runs.get() > before + 1);
    }

    /** It may be a record of what its runs change. */
    @Test
    void a_job_whose_task_changes_its_hash_code_runs_again() {
        AtomicInteger codes = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        begun(job(new Job.FixedRate(Duration.ofMillis(10), Duration.ZERO), threads, new Job.Task() {
            @Override
            public void run(Job.Run run) {
                runs.incrementAndGet();
            }

            @Override
            public int hashCode() {
                return codes.incrementAndGet();
            }
        }));
        eventually().until(() -> runs.get() > 2);
    }

    /** If each step searched the list for each job, thousands of jobs would run late. */
    @Test
    void how_often_the_jobs_are_searched_for_a_run_does_not_depend_on_how_many_there_are() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            Job.Task task = run -> runs.incrementAndGet();
            jobs.add(new Job("job " + i, ObservedGate.ROLE, ONCE, Guarantee.AT_LEAST_ONCE, threads, task));
        }
        JobRunner runner = begun((method, otherwise) -> otherwise.call());
        assertThat(runner.settle(() -> {}, PATIENCE)).isTrue();
        assertThat(runs).hasValue(jobs.size());
        searches.set(0);
        runner.runNow(jobs.get(0));
        eventually().until(() -> runs.get() > jobs.size());
        assertThat(searches).hasValueLessThan(jobs.size());
    }

    @Test
    void a_job_that_was_replaced_while_its_records_could_not_be_read_does_not_come_back() {
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        Job former = job(ONCE, threads, run -> {});
        jobs.add(former);
        JobRunner runner = begun((method, otherwise) -> {
            if (method.equals("read") && reads.getAndIncrement() == 0) {
                throw new IllegalStateException("meant to fail");
            }
            return otherwise.call();
        });
        eventually().until(() -> reads.get() == 1); // the read is repeated 200 ms later
        jobs.remove(former);
        Job next = job(new Job.FixedRate(Duration.ofMillis(10), Duration.ZERO), threads, run -> runs.incrementAndGet());
        jobs.add(next);
        runner.added(next);
        eventually().untilAtomic(runs, count -> assertThat(count).isGreaterThan(60));
    }

    @Test
    void nothing_is_kept_of_a_job_that_was_removed() throws InterruptedException {
        Job removed = job(ONCE, threads, run -> {});
        RunRecord ahead = new RunRecord(
                removed.name(), Instant.now().plus(Duration.ofHours(1)), null, null, false, ONCE.text(), "member", 0);
        JobRunner runner = knowing(removed, ahead);
        eventually().until(() -> runner.problem().isPresent());

        jobs.remove(removed);
        assertThat(runner.settle(() -> {}, PATIENCE)).isTrue();
        assertThat(runner.problem()).isEmpty();
    }

    /** What it calls may be gone, and it would be recorded as failed, so that nobody repeats it. */
    @Test
    void a_run_that_waits_for_a_thread_when_its_job_is_removed_does_not_begin() throws InterruptedException {
        BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
        List<String> runs = new CopyOnWriteArrayList<>();
        Job removed = job(ONCE, waiting::add, run -> runs.add("removed"));
        JobRunner runner = begun(removed);
        Runnable late = waiting.poll(1, TimeUnit.MINUTES);
        jobs.remove(removed);
        late.run();
        assertThat(runs).isEmpty();

        Job again = job(ONCE, threads, run -> runs.add(run.repeated() ? "repeated" : "begun"));
        jobs.add(again);
        runner.added(again);
        eventually().untilAsserted(() -> assertThat(runs).containsExactly("begun"));
    }

    @Test
    void a_handover_does_not_wait_for_the_pause_after_a_refused_run() throws InterruptedException {
        CountDownLatch refused = new CountDownLatch(1);
        Executor refusing = run -> {
            gate.revoked(term.token());
            gate.listenersDone(term.token());
            refused.countDown();
            throw new IllegalStateException("meant to fail");
        };
        JobRunner runner = begun(job(ONCE, refusing, run -> {}));
        await(refused);
        for (int step = 0; step < 3; step++) { // the refusal, and two that record what was known before
            assertThat(runner.awaitRead(PATIENCE)).isTrue();
        }
        assertThat(drained).isTrue();
    }

    @Test
    void a_run_that_waits_for_a_thread_is_due_and_not_running() throws InterruptedException {
        BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
        Job job = job(ONCE, waiting::add, run -> {});
        Instant due = Instant.now().minus(Duration.ofHours(1));
        RunRecord unfinished = new RunRecord(job.name(), due, due, null, false, ONCE.text(), "member", 0);
        JobRunner runner = knowing(job, unfinished);
        Runnable late = waiting.poll(1, TimeUnit.MINUTES);
        assertThat(runner.awaitRead(PATIENCE)).isTrue(); // a step has ended that was in progress
        NeliSnapshot.Job waits = runner.snapshot().get(0);
        assertThat(waits.running()).isFalse();
        assertThat(waits.nextDue()).contains(due);

        late.run();
        assertThat(runner.snapshot().get(0).nextDue()).isNotEqualTo(waits.nextDue());
    }

    /** Like a pool that queues it, and then cannot start a thread. */
    @Test
    void a_run_that_its_executor_refuses_and_keeps_does_not_begin() throws InterruptedException {
        BlockingQueue<Runnable> kept = new LinkedBlockingQueue<>();
        AtomicInteger runs = new AtomicInteger();
        Executor executor = run -> {
            kept.add(run);
            throw new IllegalStateException("meant to fail");
        };
        JobRunner runner = begun(job(ONCE, executor, run -> runs.incrementAndGet()));
        Runnable stale = kept.poll(1, TimeUnit.MINUTES);
        assertThat(runner.awaitRead(PATIENCE)).isTrue(); // a step has ended that was in progress
        stale.run();
        assertThat(runs).hasValue(0);
    }

    @Test
    void a_run_that_was_asked_for_begins_in_the_end_even_if_it_is_refused_and_then_its_work_cannot_begin() {
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        Executor executor = run -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("meant to fail");
            }
            threads.execute(() -> {
                failing.set(attempts.get() == 2 ? Thread.currentThread() : null);
                run.run();
            });
        };
        Job.Schedule tomorrow = new Job.FixedRate(Duration.ofDays(1), Duration.ofDays(1));
        Job job = job(tomorrow, executor, run -> runs.incrementAndGet());
        begun(job).runNow(job);
        eventually().until(() -> runs.get() == 1);
        assertThat(attempts).hasValue(3);
    }

    /** A reading that began before them may lack what was written before they began. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void terms_that_begin_during_a_reading_share_the_next_one(boolean fails) {
        AtomicInteger reads = new AtomicInteger();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        jobs.add(job(ONCE, threads, run -> runs.countDown()));
        JobRunner runner = begun((method, otherwise) -> {
            if (method.equals("read") && reads.incrementAndGet() == 1) {
                reading.countDown();
                mayEnd.await();
                leads.set(false);
                if (fails) {
                    throw new IllegalStateException("meant to fail");
                }
            }
            return otherwise.call();
        });
        await(reading);
        gate.revoked(1);
        for (long token = 2; token <= 3; token++) {
            TermLeadership next = ObservedGate.term(token, () -> true, () -> true);
            gate.acquired(next);
            gate.open(next);
            runner.begin(next);
        }
        mayEnd.countDown();
        await(runs);
        assertThat(reads).hasValue(2);
    }

    /** Or it would tell that a run is abandoned which the next leader has just begun. */
    @Test
    void what_is_read_after_the_term_is_left_to_the_next_leader() throws InterruptedException {
        jobs.add(job(ONCE, threads, run -> {}));
        AtomicBoolean written = new AtomicBoolean();
        JobRunner runner = begun((method, otherwise) -> {
            leads.compareAndSet(true, !method.equals("read"));
            written.compareAndSet(false, method.equals("write"));
            return otherwise.call();
        });
        assertThat(runner.awaitRead(PATIENCE)).isTrue();
        assertThat(leads).isFalse();
        assertThat(written).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"read, term", "write, term", "write, job"})
    void a_problem_is_over_when_it_is_solved_even_if_its_term_or_job_has_ended(String failing, String ended) {
        AtomicBoolean solved = new AtomicBoolean();
        IllegalStateException failure = new IllegalStateException("meant to fail");
        jobs.add(job(ONCE, threads, run -> {}));
        JobRunner runner = begun((method, otherwise) -> {
            if (solved.get() || !method.equals(failing)) {
                return otherwise.call();
            }
            if (failing.equals("read")) {
                throw failure;
            }
            return CompletableFuture.failedFuture(failure);
        });
        eventually().until(() -> runner.problem().isPresent());
        if (ended.equals("term")) {
            leads.set(false);
        } else {
            jobs.clear();
        }
        solved.set(true);
        eventually().until(() -> runner.problem().isEmpty());
    }

    @Test
    void many_jobs_of_a_standby_are_prepared_by_one_attempt_at_a_time() {
        AtomicInteger attempts = new AtomicInteger();
        jobs.add(job(ONCE, threads, run -> {}));
        JobRunner runner = runner((method, otherwise) -> {
            if (method.equals("prepare")) {
                attempts.incrementAndGet();
                throw new IllegalStateException("meant to fail");
            }
            return otherwise.call();
        });
        CompletableFuture<Integer> together = new CompletableFuture<>();
        runner.thread.post(
                () -> { // all before the pause after the first attempt can end
                    runner.start();
                    runner.start(); // for a job that was added
                    runner.thread.post(() -> together.complete(attempts.get()));
                });
        assertThat(together).succeedsWithin(PATIENCE).isEqualTo(1);

        jobs.clear();
        eventually().until(() -> runner.problem().isEmpty());
    }

    /** By a clock that was ahead, though the run was due before. */
    @Test
    void a_delay_that_counts_from_an_end_far_ahead_is_a_problem() {
        Job.Schedule hourly = new Job.FixedDelay(Duration.ofHours(1), Duration.ZERO);
        Job job = job(hourly, threads, run -> {});
        Instant due = Instant.now().minus(Duration.ofHours(2));
        Instant ahead = Instant.now().plus(Duration.ofDays(1));
        RunRecord last = new RunRecord(job.name(), due, ahead, ahead, true, hourly.text(), "member", 0);
        JobRunner runner = knowing(job, last);
        eventually().untilAsserted(() -> assertThat(runner.problem())
                .hasValueSatisfying(problem -> assertThat(problem.toString()).contains(ahead.toString())));
    }
}
