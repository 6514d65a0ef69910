package io.neli.internal.member;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.internal.shell.Deadline;

/** The background tasks of a member. Thread-safe. */
final class BackgroundTasks {

    private final MemberSettings settings;
    private final Set<RepeatedTask> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger number = new AtomicInteger();
    private volatile boolean stopped;

    BackgroundTasks(MemberSettings settings) {
        this.settings = settings;
    }

    BackgroundTask start(String role, WorkGate gate, LeaderTask task) {
        RepeatedTask repeated = new RepeatedTask(
                task,
                gate,
                role,
                settings.threadName("background-" + number.incrementAndGet()),
                settings.heartbeatInterval(),
                settings.handoverTimeout(),
                tasks::remove);
        tasks.add(repeated);
        repeated.start();
        if (stopped) {
            repeated.stop();
        }
        return repeated;
    }

    /** No more calls begin. */
    void stop() {
        stopped = true;
        tasks.forEach(RepeatedTask::stop);
    }

    /** Waits until the current calls have ended; those that run longer are interrupted. */
    void awaitEnd(Deadline deadline) {
        for (RepeatedTask task : tasks) {
            task.awaitEnd(deadline.left());
        }
    }
}
