package io.neli.sample.lab.process;

import java.util.function.LongSupplier;

import io.neli.harness.ChildProcess;

/** Receives what a process does, and the time at which that was noticed. It must not block. */
public interface ProcessListener {

    void printed(String line, long at);

    /** The last call, after all lines. */
    void exited(int code, long at);

    /** Adapts this listener to a process. Reads the clock before each call, and holds the lock during the call. */
    default ChildProcess.Listener adapted(Object lock, LongSupplier clock) {
        ProcessListener adapted = this;
        return new ChildProcess.Listener() {
            @Override
            public void printed(String line) {
                long at = clock.getAsLong();
                synchronized (lock) {
                    adapted.printed(line, at);
                }
            }

            @Override
            public void exited(int code) {
                long at = clock.getAsLong();
                synchronized (lock) {
                    adapted.exited(code, at);
                }
            }
        };
    }
}
