package io.neli.internal.member;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.neli.LeaderWork;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.internal.shell.DaemonThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a task repeatedly while the gate is open, on a thread of its own. */
final class RepeatedTask implements BackgroundTask, Runnable {

    private static final Logger log = LoggerFactory.getLogger(RepeatedTask.class);

    private final LeaderTask task;
    private final WorkGate gate;
    private final String role;
    private final Duration pauseAfterFailure;
    private final Duration closeLimit;
    private final Consumer<RepeatedTask> whenEnded;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    RepeatedTask(
            LeaderTask task,
            WorkGate gate,
            String role,
            String threadName,
            Duration pauseAfterFailure,
            Duration closeLimit,
            Consumer<RepeatedTask> whenEnded) {
        this.task = task;
        this.gate = gate;
        this.role = role;
        this.pauseAfterFailure = pauseAfterFailure;
        this.closeLimit = closeLimit;
        this.whenEnded = whenEnded;
        this.thread = DaemonThread.of(threadName, this);
    }

    void start() {
        thread.start();
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    @Override
    public void run() {
        while (!isStopped()) {
            try {
                gate.awaitOpen(this::isStopped);
                if (!isStopped() && !step()) {
                    stopped.await(pauseAfterFailure.toNanos(), TimeUnit.NANOSECONDS);
                }
            } catch (InterruptedException e) {
                log.debug("{} was interrupted; it continues until it is closed", thread.getName());
            }
        }
        whenEnded.accept(this);
    }

    /** Returns false if it should pause: the task failed, or the lease is over and the gate still open. */
    private boolean step() {
        Optional<LeaderWork> work = gate.enter(role);
        if (work.isEmpty()) {
            return false;
        }
        try (LeaderWork begun = work.get()) {
            task.run(begun.leadership());
            return true;
        } catch (InterruptedException e) {
            return true; // by a fence: no failure
        } catch (Exception | Error e) { // also an Error: a leader whose task is never called again would look healthy
            log.error("{} failed and is called again in {}", thread.getName(), pauseAfterFailure, e);
            return false;
        }
    }

    /** No more calls begin. */
    void stop() {
        stopped.countDown();
        gate.wakeWaiting();
    }

    @Override
    public void close() {
        stop();
        awaitEnd(closeLimit);
    }

    /** Waits until the current call has ended, unless it is the caller. */
    void awaitEnd(Duration limit) {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(Math.max(1, limit.toMillis()));
            if (thread.isAlive()) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
