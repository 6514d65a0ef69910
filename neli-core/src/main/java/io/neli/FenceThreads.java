package io.neli;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Calls what detached work has asked for, each fence on a thread of its own: nobody's code may hold up the election. */
final class FenceThreads implements Executor {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final String name;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    FenceThreads(String name) {
        this.name = name;
    }

    @Override
    public void execute(Runnable callbacks) {
        Thread thread = new Thread(
                () -> {
                    try {
                        callbacks.run();
                    } finally {
                        running.remove(Thread.currentThread());
                    }
                },
                name);
        thread.setDaemon(true);
        running.add(thread);
        thread.start();
    }

    /** Waits for what is being called, with a limit; what goes on beyond is interrupted. */
    void close() {
        long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
        for (Thread thread : running) {
            if (thread == Thread.currentThread()) {
                continue; // a callback that closes the election
            }
            try {
                thread.join(Math.max(
                        1, Duration.ofNanos(deadline - System.nanoTime()).toMillis()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (thread.isAlive()) {
                thread.interrupt();
            }
        }
    }
}
