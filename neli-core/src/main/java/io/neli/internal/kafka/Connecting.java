package io.neli.internal.kafka;

import org.jspecify.annotations.Nullable;

/** Lets a closing member interrupt a step that blocks only while it connects. Thread-safe. */
final class Connecting {

    private @Nullable Thread thread;
    private boolean closed;

    /** A step that ends when it is interrupted. */
    interface Step<T> {
        T take() throws InterruptedException;
    }

    <T> T call(Step<T> step) throws InterruptedException {
        begin();
        try {
            return step.take();
        } finally {
            end();
        }
    }

    private synchronized void begin() throws InterruptedException {
        if (closed) {
            throw new InterruptedException("closed");
        }
        thread = Thread.currentThread();
    }

    private synchronized void end() {
        thread = null;
    }

    /** Interrupts the current step; no other begins. */
    synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
