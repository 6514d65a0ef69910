package io.neli.internal.member;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderListener;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.Deadline;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the listeners of a member's events, one at a time and in order. */
final class EventThread {

    private static final Logger log = LoggerFactory.getLogger(EventThread.class);

    private static final Duration LAST_EVENTS_LIMIT = Duration.ofSeconds(5);

    private final String groupId;
    private final List<LeaderListener> listeners;
    private final WorkLimit limit;
    private final ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    /** The thread exists only while there are events to deliver, unless it is {@linkplain #keepThread kept}. */
    EventThread(String name, String groupId, List<LeaderListener> listeners, WorkLimit limit) {
        this.groupId = groupId;
        this.listeners = listeners;
        this.limit = limit;
        this.executor = new ThreadPoolExecutor(
                0, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> thread = DaemonThread.of(name, task));
    }

    /** Starts the thread now, as a child of the caller, and keeps it until the close: no event waits for its start. */
    void keepThread() {
        executor.setCorePoolSize(1);
        executor.prestartCoreThread();
    }

    /** Runs the task after all earlier events. */
    void execute(Runnable task) {
        executor.execute(task);
    }

    /** Returns immediately. The callback then receives the first exception that a listener threw; empty if none did. */
    void deliver(List<? extends LeaderEvent> events, Consumer<Optional<Throwable>> afterwards) {
        executor.execute(() -> {
            List<Throwable> thrown = new ArrayList<>();
            events.forEach(event -> thrown.addAll(call(event, listener -> listener.onEvent(event))));
            afterwards.accept(thrown.stream().findFirst());
        });
    }

    /** Returns immediately. */
    void deliver(String role, Optional<Leader> leader) {
        String what = "the change of who leads role '" + role + "'";
        executor.execute(() -> call(what, listener -> listener.onLeaderChanged(role, leader)));
    }

    /**
     * Calls every listener, even if others throw. Returns what they threw.
     *
     * @param what names the event in messages
     */
    @SuppressWarnings("try") // the watch is only closed
    private List<Throwable> call(Object what, Consumer<LeaderListener> call) {
        List<Throwable> thrown = new ArrayList<>();
        for (LeaderListener listener : listeners) {
            try (WorkLimit.Watch watch = limit.watchListener(what)) {
                call.accept(listener);
            } catch (Throwable e) { // even a checked exception, from Kotlin: the other listeners must get the event
                log.error("Group {}: a listener failed on {}", groupId, what, e);
                thrown.add(e);
            }
            if (!executor.isShutdown()) {
                Thread.interrupted(); // what this listener leaves behind is not meant for the next
            }
        }
        return thrown;
    }

    /**
     * Waits, with a limit, until a thread that is not kept has ended. The next event then starts one that inherits from
     * its own starter, such as the test that Spring records events for.
     */
    void awaitIdle(Deadline deadline) throws InterruptedException {
        Thread current = thread;
        if (current != null && executor.getCorePoolSize() == 0) {
            DaemonThread.endsWithin(current, deadline.left());
        }
    }

    boolean isCaller() {
        return Thread.currentThread() == thread;
    }

    /** Whether a listener, or another task on its thread, has not returned. */
    boolean isBusy() {
        return executor.getActiveCount() > 0;
    }

    /** Waits for queued events, with a limit. Interrupts a listener that takes longer; later events still come. */
    void close() {
        executor.shutdown();
        // Waits for all threads of the executor: one that ends may have been replaced.
        boolean ended = DaemonThread.awaitEnd(executor, LAST_EVENTS_LIMIT);
        if (!ended) {
            log.warn("Group {}: a listener still runs after the close; it is interrupted", groupId);
        }
        Thread current = thread;
        if (current != null && !isCaller()) {
            DaemonThread.join(current, ended ? LAST_EVENTS_LIMIT : Duration.ZERO);
        }
    }

    /** Waits until it is closed and all listeners have returned. Returns false if the limit passes first. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return executor.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}
