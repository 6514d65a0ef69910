package io.neli.kafka;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One step on a thread of its own, beside what its starter does meanwhile. The step must end when it is interrupted. */
final class Beside<T> implements AutoCloseable {

    private static final long LIMIT_SECONDS = 60;
    private static final long JOIN_LIMIT_MILLIS = 1_000;

    private final FutureTask<T> task;
    private final Thread thread;

    private Beside(FutureTask<T> task, Thread thread) {
        this.task = task;
        this.thread = thread;
    }

    static <T> Beside<T> start(String threadName, Callable<T> step) {
        FutureTask<T> task = new FutureTask<>(step);
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        thread.start();
        return new Beside<>(task, thread);
    }

    /** Waits for the step, and throws what it has thrown. */
    T await() throws InterruptedException {
        try {
            return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException("not done within " + LIMIT_SECONDS + " s", e);
        }
    }

    /** Cuts the step short where it is still under way. */
    @Override
    public void close() {
        task.cancel(true);
        try {
            thread.join(JOIN_LIMIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
