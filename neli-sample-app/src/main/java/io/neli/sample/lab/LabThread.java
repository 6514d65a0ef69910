package io.neli.sample.lab;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.neli.sample.lab.web.RefusedControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that everything in the lab happens on; whatever it is given is short. A task that fails ends no other. */
final class LabThread implements Executor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LabThread.class);

    private final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(1, LabThread::daemon);

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "lab");
        thread.setDaemon(true);
        return thread;
    }

    /** Does it soon; nothing after the end. */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            log.debug("The lab has ended", e);
        }
    }

    void executeEvery(Duration interval, Runnable task) {
        var unused = executor.scheduleWithFixedDelay(guarded(task), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    void executeIn(Duration delay, Runnable task) {
        try {
            var unused = executor.schedule(guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("The lab has ended", e);
        }
    }

    /** Does it soon; the result, or what it throws, is the future's. */
    <T> CompletableFuture<T> call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    result.complete(task.get());
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new RefusedControlException("the lab is ending"));
        }
        return result;
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                log.error("Something in the lab has failed; it goes on", e);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                log.warn("The lab's thread is still at work");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
