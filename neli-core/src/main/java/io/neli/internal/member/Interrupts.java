package io.neli.internal.member;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final Executor callbacks;
    private final Map<Thread, Integer> pending = new HashMap<>();

    /**
     * Does nothing where interrupts are not wanted.
     *
     * @param callbacks runs what detached work has asked to be called
     */
    Interrupts(boolean wanted, Executor callbacks) {
        this.wanted = wanted;
        this.callbacks = callbacks;
    }

    /** Notifies work that has no thread to interrupt. */
    void call(List<Runnable> fenced) {
        if (wanted && !fenced.isEmpty()) {
            callbacks.execute(() -> fenced.forEach(Interrupts::call));
        }
    }

    private static void call(Runnable fenced) {
        try {
            fenced.run();
        } catch (Throwable e) { // nothing may keep the others from being notified
            log.error("The callback of a fence has failed: {}", fenced, e);
        }
    }

    /** Returns whether the thread was interrupted, and so {@link #takeBack} has to follow. */
    synchronized boolean interrupt(Thread thread) {
        if (wanted) {
            pending.merge(thread, 1, Integer::sum);
            thread.interrupt();
        }
        return wanted;
    }

    /** The calling thread has ended a piece of work that was interrupted. */
    @SuppressWarnings("ResultOfMethodCallIgnored")
    synchronized void takeBack() {
        Thread thread = Thread.currentThread();
        int left = pending.getOrDefault(thread, 1) - 1;
        if (left == 0) {
            pending.remove(thread);
            Thread.interrupted();
        } else {
            pending.put(thread, left);
            thread.interrupt(); // the inner work may have consumed it
        }
    }
}
