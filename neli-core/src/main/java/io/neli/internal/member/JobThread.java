package io.neli.internal.member;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.neli.internal.shell.DaemonThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a member's jobs. It takes one step after the other, and lives while there are steps. Thread-safe. */
final class JobThread {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final String name;
    private final Runnable afterEach;
    private final ScheduledExecutorService executor;

    /** @param afterEach called after each step, even if the step failed */
    JobThread(String name, Runnable afterEach) {
        this.name = name;
        this.afterEach = afterEach;
        this.executor = DaemonThread.timer(name);
    }

    void post(Runnable step) {
        executor.execute(() -> take(step));
    }

    Future<?> schedule(Runnable step, Duration delay) {
        return executor.schedule(() -> take(step), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void take(Runnable step) {
        try {
            attempt(step);
        } finally {
            afterEach.run();
        }
    }

    /** Takes a step, or a part of one whose failure must not keep the other parts from being taken. */
    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            log.error("A step of the thread {} has failed", name, e);
        }
    }

    /** Waits until this step and all steps posted before are taken. Returns false if the limit passes first. */
    boolean await(Runnable step, Duration limit) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        post(() -> {
            step.run();
            done.countDown();
        });
        return done.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    boolean isClosed() {
        return executor.isShutdown();
    }

    /** Interrupts the current step, and waits for its end, with a limit. */
    void close() {
        executor.shutdownNow();
        if (!DaemonThread.awaitEnd(executor, CLOSE_LIMIT)) {
            log.warn("The thread {} has not ended", name);
        }
    }
}
