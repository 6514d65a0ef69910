package io.neli.internal.member;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a fence reaches a member's running work, and the interrupts that have not been taken back. A thread may do nested work of
 * several partitions, all of it fenced: the end of the inner work must not clear the interrupt of the outer. Thread-safe.
 */
final class Interrupts {

    private static final Logger log = LoggerFactory.getLogger(Interrupts.class);

    private final boolean wanted;
    private final Executor threads;
    private final Map<Thread, Integer> pending = new ConcurrentHashMap<>();

    /**
     * Does nothing where interrupts are not wanted.
     *
     * @param threads where work is interrupted, and what detached work has asked for is called
     */
    Interrupts(boolean wanted, Executor threads) {
        this.wanted = wanted;
        this.threads = threads;
    }

    /** Notifies work, on a thread of its own: to interrupt a thread that waits for a channel closes that channel, and may block. */
    void call(List<Runnable> fenced) {
        if (wanted && !fenced.isEmpty()) {
            threads.execute(() -> fenced.forEach(Interrupts::call));
        }
    }

    private static void call(Runnable fenced) {
        try {
            fenced.run();
        } catch (Throwable e) { // nothing may keep the others from being notified
            log.error("The callback of a fence has failed: {}", fenced, e);
        }
    }

    /** {@link #takeBack} has to follow. May block. */
    void interrupt(Thread thread) {
        pending.merge(thread, 1, Integer::sum);
        thread.interrupt();
    }

    /** The calling thread has ended a piece of work that was interrupted. */
    @SuppressWarnings("ResultOfMethodCallIgnored")
    void takeBack() {
        Thread thread = Thread.currentThread();
        if (pending.computeIfPresent(thread, (same, count) -> count > 1 ? (Integer) (count - 1) : null) == null) {
            Thread.interrupted();
        } else {
            thread.interrupt(); // the inner work may have consumed it
        }
    }
}
