package io.neli.nats;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.internal.shell.DaemonThread;

/**
 * Closes connections, each on a thread of its own: over TLS that blocks while the server is frozen, and the election
 * must not wait. Thread-safe.
 */
final class Closing {

    private final String threadName;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    Closing(String threadName) {
        this.threadName = threadName;
    }

    void start(Runnable close) {
        Thread thread = DaemonThread.of(threadName, () -> {
            try {
                close.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** Waits until all that was started has ended, for so long at most each. */
    void join(Duration limit) {
        threads.forEach(thread -> DaemonThread.join(thread, limit));
    }
}
