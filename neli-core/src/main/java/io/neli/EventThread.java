package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners of a member's events, one at a time and in order. */
final class EventThread {

    private static final Logger log = LoggerFactory.getLogger(EventThread.class);

    private static final Duration LAST_EVENTS_LIMIT = Duration.ofSeconds(5);

    private final String groupId;
    private final List<LeaderListener> listeners;
    private final WorkLimit limit;
    private final ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    EventThread(String name, String groupId, List<LeaderListener> listeners, WorkLimit limit) {
        this(name, groupId, listeners, limit, 1);
    }

    private EventThread(
            String name, String groupId, List<LeaderListener> listeners, WorkLimit limit, int threadsAtRest) {
        this.groupId = groupId;
        this.listeners = listeners;
        this.limit = limit;
        this.executor =
                new ThreadPoolExecutor(threadsAtRest, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread created = new Thread(task, name);
                    created.setDaemon(true);
                    thread = created;
                    return created;
                });
    }

    /**
     * One that lasts only as long as there is something to tell, and is a child of the thread that brings it: what that one
     * hands down to its children, such as where a test records events, is at hand in the listeners.
     */
    static EventThread onDemand(String name, String groupId, List<LeaderListener> listeners, WorkLimit limit) {
        return new EventThread(name, groupId, listeners, limit, 0);
    }

    void start() {
        executor.prestartCoreThread();
    }

    /** Has the thread do something before the events that come later. */
    void first(Runnable task) {
        executor.execute(task);
    }

    /** Returns at once; what follows hears whether all listeners have returned. */
    void tell(List<? extends LeaderEvent> events, Consumer<Boolean> afterwards) {
        executor.execute(() -> {
            boolean allReturned = true;
            for (LeaderEvent event : events) {
                allReturned &= tell(event);
            }
            afterwards.accept(allReturned);
        });
    }

    /** All are told, whatever the others do. */
    @SuppressWarnings("try") // the watch is only closed
    private boolean tell(LeaderEvent event) {
        boolean allReturned = true;
        for (LeaderListener listener : listeners) {
            try (WorkLimit.Watch watch = limit.watchListener()) {
                listener.onEvent(event);
            } catch (Throwable e) { // nothing, also no checked exception from Kotlin, may cost the others their event
                log.error("Group {}: a listener failed on {}", groupId, event, e);
                allReturned = false;
            }
        }
        return allReturned;
    }

    boolean isCaller() {
        return Thread.currentThread() == thread;
    }

    /** Waits for the events that have come, with a limit; a listener that goes on beyond is interrupted. */
    void close() {
        executor.shutdown();
        Thread current = thread;
        if (current == null) {
            return;
        }
        try {
            current.join(LAST_EVENTS_LIMIT.toMillis());
            if (current.isAlive()) {
                log.warn("Group {}: a listener still runs after the close; it is interrupted", groupId);
                current.interrupt(); // the events behind it are still told
            }
        } catch (InterruptedException e) {
            current.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
