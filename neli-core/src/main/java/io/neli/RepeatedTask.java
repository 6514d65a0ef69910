package io.neli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a task again and again while the gate is open, on a thread of its own. */
final class RepeatedTask implements BackgroundTask, Runnable {

    private static final Logger log = LoggerFactory.getLogger(RepeatedTask.class);
    private static final long LOOK_MILLIS = 1000;

    private final LeaderTask task;
    private final Membership membership;
    private final Duration pauseAfterFailure;
    private final Duration closeLimit;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    RepeatedTask(
            LeaderTask task,
            Membership membership,
            String threadName,
            Duration pauseAfterFailure,
            Duration closeLimit) {
        this.task = task;
        this.membership = membership;
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
            while (closed.getCount() > 0 && !membership.awaitClosed(Duration.ZERO)) {
                membership.gate().awaitOpen(LOOK_MILLIS);
                if (closed.getCount() > 0 && !step()) {
                    closed.await(pauseAfterFailure.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException e) {
            log.debug("{} was interrupted", thread.getName());
        }
    }

    /** Returns false if the task failed. */
    private boolean step() {
        Optional<LeaderWork> work = membership.gate().enter();
        if (work.isEmpty()) {
            return true;
        }
        try (LeaderWork begun = work.get()) {
            task.run(begun.leadership());
            return true;
        } catch (InterruptedException e) {
            return closed.getCount() > 0; // by a fence: no failure
        } catch (Exception e) {
            log.error("{} failed and is called again in {}", thread.getName(), pauseAfterFailure, e);
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
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
