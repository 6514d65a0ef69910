package io.neli.sample.lab.process;

import java.util.function.LongSupplier;

import io.neli.harness.ChildProcess;

/** Receives what a process does, and the time at which that was noticed. It must not block. */
public interface ProcessListener {

    void printed(String line, long at);

    /** The last call, after all lines. */
    void exited(int code, long at);

    /** A listener that holds {@code lock} during each call of this one. */
    default ProcessListener guardedBy(Object lock) {
        ProcessListener guarded = this;
        return new ProcessListener() {
            @Override
            public void printed(String line, long at) {
                synchronized (lock) {
                    guarded.printed(line, at);
                }
            }

            @Override
            public void exited(int code, long at) {
                synchronized (lock) {
                    guarded.exited(code, at);
                }
            }
        };
    }

    /** Adapts this listener to a process. The clock is read before each call. */
    default ChildProcess.Listener timedBy(LongSupplier clock) {
        ProcessListener timed = this;
        return new ChildProcess.Listener() {
            @Override
            public void printed(String line) {
                timed.printed(line, clock.getAsLong());
            }

            @Override
            public void exited(int code) {
                timed.exited(code, clock.getAsLong());
            }
        };
    }
}
