package io.neli.internal.member;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.MemberClock;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class JobRunnerTest {

    @Test
    void a_run_that_ends_after_the_close_does_not_keep_the_next_start_waiting() throws InterruptedException {
        MemberSettings settings = MemberNeliTest.settings();
        MemberNeli neli = new MemberNeli(settings, events -> new DisabledEngine(settings, true, events));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        neli.schedule(new Job(
                "job",
                neli.defaultRole(),
                new Job.FixedRate(Duration.ofDays(1), Duration.ZERO),
                Guarantee.AT_LEAST_ONCE,
                threads,
                run -> {
                    begun.countDown();
                    mayEnd.await();
                }));
        neli.start();
        begun.await();
        neli.close();
        mayEnd.countDown();
        neli.start();
        eventually().until(neli::isLeader);
        assertThat(neli.snapshot().problem()).isPresent(); // that there is no election
        neli.close();
        threads.shutdownNow();
    }

    @Test
    void a_run_that_comes_too_late_to_begin_does_not_keep_a_handover_waiting_though_nothing_can_be_recorded() {
        AtomicBoolean leads = new AtomicBoolean(true);
        AtomicBoolean drained = new AtomicBoolean();
        WorkGate gate = new WorkGate(
                MemberClock.system(),
                callbacks -> {}, // as with neli.work.interrupt-on-fence=false
                (token, fenced) -> drained.set(true),
                ObservedGate.NO_LIMIT,
                ObservedGate.NO_METRICS);
        MemberSettings settings = MemberNeliTest.settings();
        TermLeadership term =
                new TermLeadership((partition, token) -> leads.get(), 0, ObservedGate.ROLE, 1, Instant.EPOCH);
        gate.acquired(term);
        gate.open(term);
        Job job = new Job(
                "job",
                ObservedGate.ROLE,
                new Job.FixedRate(Duration.ofDays(1), Duration.ZERO),
                Guarantee.AT_LEAST_ONCE,
                run -> {
                    gate.revoked(term.token());
                    leads.set(false);
                    run.run();
                },
                run -> {});
        JobRunner runner = new JobRunner(
                settings,
                List.of(job),
                failingStore(leads::get),
                role -> gate,
                MemberClock.system(),
                InstantSource.system());
        runner.begin(term);
        eventually().until(() -> !leads.get());
        gate.listenersDone(term.token());
        eventually().untilTrue(drained);
        runner.close();
    }

    /** Writes only while that is so. */
    private static RunStore failingStore(BooleanSupplier writes) {
        RunStore records = RunStore.inMemory();
        return (RunStore) Proxy.newProxyInstance(
                JobRunnerTest.class.getClassLoader(),
                new Class<?>[] {RunStore.class},
                (proxy, method, arguments) -> method.getName().equals("write") && !writes.getAsBoolean()
                        ? CompletableFuture.failedFuture(new IllegalStateException("not now"))
                        : method.invoke(records, arguments));
    }
}
