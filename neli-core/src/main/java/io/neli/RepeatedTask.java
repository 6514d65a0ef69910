package io.neli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a task again and again while the gate is open, on a thread of its own. */
final class RepeatedTask implements BackgroundTask, Runnable {

    private static final Logger log = LoggerFactory.getLogger(RepeatedTask.class);
    private static final long LOOK_MILLIS = 1000;
    /** While the gate is still open, and the lease is over. */
    private static final Duration PAUSE_AT_THE_GATE = Duration.ofMillis(5);

    private final LeaderTask task;
    private final WorkGate gate;
    private final Duration pauseAfterFailure;
    private final Duration closeLimit;
    private final Consumer<RepeatedTask> whenClosed;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    RepeatedTask(
            LeaderTask task,
            WorkGate gate,
            String threadName,
            Duration pauseAfterFailure,
            Duration closeLimit,
            Consumer<RepeatedTask> whenClosed) {
        this.task = task;
        this.gate = gate;
        this.whenClosed = whenClosed;
        this.pauseAfterFailure = pauseAfterFailure;
        this.closeLimit = closeLimit;
        this.thread = new Thread(this, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (closed.getCount() > 0) {
                gate.awaitOpen(LOOK_MILLIS);
                if (closed.getCount() > 0) {
                    Duration pause = step();
                    closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException e) {
            log.debug("{} was interrupted", thread.getName());
        }
    }

    /** Returns how long to pause before the next. */
    private Duration step() {
        Optional<LeaderWork> work = gate.enter();
        if (work.isEmpty()) {
            return PAUSE_AT_THE_GATE;
        }
        try (LeaderWork begun = work.get()) {
            task.run(begun.leadership());
            return Duration.ZERO;
        } catch (InterruptedException e) {
            return Duration.ZERO; // by a fence: no failure
        } catch (Exception | Error e) { // the next term may go better: a task that is gone for good would not be missed
            log.error("{} failed and is called again in {}", thread.getName(), pauseAfterFailure, e);
            return pauseAfterFailure;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        whenClosed.accept(this);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(Math.max(1, closeLimit.toMillis()));
            if (thread.isAlive()) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
