package io.neli.internal.member;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The background tasks of a member. A thread for each calls it repeatedly while its gate is open. Thread-safe. */
final class BackgroundTasks {

    private static final Logger log = LoggerFactory.getLogger(BackgroundTasks.class);

    private final MemberSettings settings;
    private final Set<Repeated> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger number = new AtomicInteger();
    private volatile boolean stopped;

    BackgroundTasks(MemberSettings settings) {
        this.settings = settings;
    }

    BackgroundTask start(String role, WorkGate gate, LeaderTask task) {
        Repeated repeated = new Repeated(role, gate, task);
        tasks.add(repeated);
        repeated.thread.start();
        if (stopped) {
            repeated.stop();
        }
        return repeated;
    }

    /** Prevents further calls. */
    void stop() {
        stopped = true;
        tasks.forEach(Repeated::stop);
    }

    /** Waits until the current calls have ended, and interrupts those that outlast the deadline. */
    void awaitEnd(Deadline deadline) {
        tasks.forEach(task -> task.awaitEnd(deadline.left()));
    }

    private final class Repeated implements BackgroundTask {

        private final String role;
        private final WorkGate gate;
        private final LeaderTask task;
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final Thread thread =
                DaemonThread.of(settings.threadName("background-" + number.incrementAndGet()), this::run);

        Repeated(String role, WorkGate gate, LeaderTask task) {
            this.role = role;
            this.gate = gate;
            this.task = task;
        }

        private boolean isStopped() {
            return mayEnd.getCount() == 0;
        }

        private void run() {
            while (!isStopped()) {
                try {
                    gate.awaitOpen(this::isStopped);
                    if (!isStopped() && !call()) {
                        mayEnd.await(settings.heartbeatInterval().toNanos(), TimeUnit.NANOSECONDS);
                    }
                } catch (InterruptedException e) {
                    log.debug("{} was interrupted; it continues until it is closed", thread.getName());
                }
            }
            tasks.remove(this);
        }

        /** Returns false to request a pause: the task failed, or the lease is over and the gate still open. */
        private boolean call() {
            try {
                Optional<LeaderWork> work = gate.enter(role);
                if (work.isEmpty()) {
                    return false;
                }
                try (LeaderWork begun = work.get()) {
                    run(begun.leadership());
                }
                return true;
            } catch (Throwable e) { // any Throwable: a leader that no longer calls its task would look healthy
                log.error("{} failed and is called again after a heartbeat interval", thread.getName(), e);
                return false;
            } finally {
                Thread.interrupted(); // else there would be no pause after a task that leaves an interrupt behind
            }
        }

        private void run(Leadership leadership) throws Exception {
            try {
                task.run(leadership);
            } catch (InterruptedException e) {
                if (leadership.isValid() && !isStopped()) {
                    throw e; // else a fence or the close has interrupted it, which is no failure
                }
            }
        }

        void stop() {
            mayEnd.countDown();
            gate.wakeWaiting();
        }

        @Override
        public void close() {
            stop();
            try {
                if (Thread.currentThread() != thread) {
                    DaemonThread.endsWithin(thread, settings.handoverTimeout());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // such a caller does not wait
            }
            awaitEnd(Duration.ZERO);
        }

        /** Waits for the current call, unless it is the caller; interrupts it after the limit. */
        void awaitEnd(Duration limit) {
            if (Thread.currentThread() != thread) {
                DaemonThread.join(thread, limit);
            }
        }
    }
}
