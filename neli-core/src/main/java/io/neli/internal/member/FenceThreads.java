package io.neli.internal.member;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;

/**
 * Interrupts work and calls the callbacks of detached work. Each fence has its own thread, so that it cannot delay the
 * election.
 */
final class FenceThreads implements Executor {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final String name;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    FenceThreads(String name) {
        this.name = name;
    }

    @Override
    public void execute(Runnable callbacks) {
        Thread thread = DaemonThread.of(name, () -> {
            try {
                callbacks.run();
            } finally {
                running.remove(Thread.currentThread());
            }
        });
        running.add(thread);
        thread.start();
    }

    /** Waits until the callbacks have returned. Returns false if the deadline passes first. */
    boolean join(Deadline deadline) throws InterruptedException {
        for (Thread thread : running) {
            if (thread != Thread.currentThread()) { // the caller may be a callback that closes the election
                thread.join(Math.max(1, deadline.left().toMillis()));
                if (thread.isAlive()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Waits for the callbacks, with a limit, and interrupts those that run longer. */
    void close() {
        Deadline deadline = Deadline.after(CLOSE_LIMIT, MemberClock.system());
        running.stream()
                .filter(thread -> thread != Thread.currentThread())
                .forEach(thread -> DaemonThread.join(thread, deadline.left()));
    }
}
