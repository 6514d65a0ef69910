package io.neli;

import java.util.HashMap;
import java.util.Map;

/**
 * The interrupts of a member's fenced work that have not been taken back. One thread may be at work in several partitions,
 * one piece within the other, and all of it fenced: the end of the inner one must not make the outer deaf. Thread-safe.
 */
final class Interrupts {

    private final boolean wanted;
    private final Map<Thread, Integer> pending = new HashMap<>();

    /** Does nothing where interrupts are not wanted. */
    Interrupts(boolean wanted) {
        this.wanted = wanted;
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
