package io.neli.internal.shell;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Runs each task on a daemon thread of its own, so that one that blocks delays nothing else. Thread-safe. */
public final class TaskThreads implements Executor {

    private final String name;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    public TaskThreads(String name) {
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        Thread thread = DaemonThread.of(name, () -> {
            try {
                task.run();
            } finally {
                running.remove(Thread.currentThread());
            }
        });
        running.add(thread);
        thread.start();
    }

    /** Waits until the tasks have ended. Returns false if the deadline passes first. */
    public boolean join(Deadline deadline) throws InterruptedException {
        for (Thread thread : running) {
            boolean isCaller = thread == Thread.currentThread(); // a task that closes the election
            if (!isCaller && !DaemonThread.endsWithin(thread, deadline.left())) {
                return false;
            }
        }
        return true;
    }

    /** Waits for all tasks together, with a limit, and interrupts those that run longer. */
    public void close(Duration limit) {
        Deadline deadline = Deadline.after(limit, MemberClock.system());
        running.stream()
                .filter(thread -> thread != Thread.currentThread())
                .forEach(thread -> DaemonThread.join(thread, deadline.left()));
    }
}
