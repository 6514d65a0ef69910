package io.neli.internal.shell;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** Threads that do not keep the process alive. Their creator joins them. */
public final class DaemonThread {

    /** A member that takes no part in an election is never closed, but its jobs go with their application context. */
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(1);

    private DaemonThread() {}

    public static Thread of(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(loaderOfNeli(thread.getContextClassLoader()));
        return thread;
    }

    /** Creates an executor with one thread, which lives while there are tasks. Once shut down, it drops new tasks. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, task -> of(name, task), new ThreadPoolExecutor.DiscardPolicy());
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** This class loader if it can load Neli's classes; else Neli's own, as on the common pool in an executable jar. */
    public static ClassLoader loaderOfNeli(@Nullable ClassLoader context) {
        try {
            if (context != null && context.loadClass(DaemonThread.class.getName()) == DaemonThread.class) {
                return context;
            }
        } catch (ClassNotFoundException e) {
            // then Neli's own does
        }
        return DaemonThread.class.getClassLoader();
    }

    /** Waits until the thread has ended, as {@link #await} does; interrupts it if it has not within the limit. */
    public static void join(Thread thread, Duration limit) {
        if (!await(left -> endsWithin(thread, left), limit)) {
            thread.interrupt();
        }
    }

    /** Waits until the thread has ended. Returns false if the limit passes first. */
    public static boolean endsWithin(Thread thread, Duration limit) throws InterruptedException {
        thread.join(Math.max(1, limit.toMillis())); // zero would be forever
        return !thread.isAlive();
    }

    /** Waits, as {@link #await} does, for the threads of an executor that was shut down. Returns whether they ended. */
    public static boolean awaitEnd(ExecutorService executor, Duration limit) {
        return await(left -> executor.awaitTermination(left.toNanos(), TimeUnit.NANOSECONDS), limit);
    }

    /** A wait for something that may not happen. */
    @FunctionalInterface
    public interface Wait {

        /** Returns false if the limit passes first. */
        boolean within(Duration limit) throws InterruptedException;
    }

    /** Waits even if the caller is interrupted before or meanwhile. The thread stays interrupted. */
    public static boolean await(Wait wait, Duration limit) {
        Deadline deadline = Deadline.after(limit, MemberClock.system());
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.within(deadline.left());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Hides an earlier interrupt from a call; a later one may end it. The thread stays interrupted. */
    public static void uninterrupted(Runnable call) {
        boolean interrupted = Thread.interrupted();
        try {
            call.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
