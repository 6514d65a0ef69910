package io.neli.nats;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.internal.shell.DaemonThread;

/**
 * Closes connections, each on its own thread: closing a TLS connection blocks while the server is frozen, and the
 * election must not wait for that. Thread-safe.
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

    /** Waits for every close that was started, for at most {@code limit} each. */
    void join(Duration limit) {
        threads.forEach(thread -> DaemonThread.join(thread, limit));
    }
}
