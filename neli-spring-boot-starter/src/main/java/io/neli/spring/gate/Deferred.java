package io.neli.spring.gate;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps actions until it is opened. After that, runs each on the thread that adds it. Any thread may add one. */
final class Deferred {

    private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
    private volatile boolean open;

    void add(Runnable action) {
        actions.add(action);
        if (open && actions.remove(action)) { // and another thread has not run it
            action.run();
        }
    }

    void open() {
        open = true;
        for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
            action.run();
        }
    }
}
