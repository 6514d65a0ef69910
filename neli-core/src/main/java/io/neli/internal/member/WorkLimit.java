package io.neli.internal.member;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects what runs for too long, on a thread of its own, which exists only while something is watched: work and listeners by the
 * limit, if there is one, and listeners also to report one that holds up the others. Thread-safe.
 */
final class WorkLimit {

    private static final Logger log = LoggerFactory.getLogger(WorkLimit.class);

    private static final String LIMIT = "neli.work.limit";
    private static final String WARN_AFTER = "neli.work.warn-after";

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(1);
    private static final Duration SLOW_LISTENER = Duration.ofSeconds(30);
    private static final int FRAMES = 8;

    private final @Nullable Duration limit;
    private final @Nullable Duration warnAfter;
    private final Duration repeat;
    private final Runnable exceeded;
    private final Duration slowListener;
    private final ScheduledThreadPoolExecutor timer;
    private volatile @Nullable Thread thread;

    /** Lasts as long as what is watched. */
    interface Watch extends AutoCloseable {

        Watch NONE = () -> {};

        /** It continues without the thread that began it. */
        default void detach(String what) {}

        @Override
        void close();
    }

    /**
     * A limit that is in force until it is closed.
     *
     * @param limit null for none
     * @param warnAfter after how long work is reported, whatever the limit; null for never
     * @param repeat how often {@code exceeded} is called again while a listener goes on
     * @param exceeded called when something has run for too long; must return at once
     */
    WorkLimit(
            @Nullable Duration limit,
            @Nullable Duration warnAfter,
            Duration repeat,
            String threadName,
            Runnable exceeded) {
        this(limit, warnAfter, repeat, SLOW_LISTENER, threadName, exceeded);
    }

    /**
     * A limit that is in force until it is closed.
     *
     * @param slowListener after how long a listener is reported, whatever the limit
     */
    WorkLimit(
            @Nullable Duration limit,
            @Nullable Duration warnAfter,
            Duration repeat,
            Duration slowListener,
            String threadName,
            Runnable exceeded) {
        this.limit = limit;
        this.warnAfter = warnAfter;
        this.repeat = repeat;
        this.slowListener = slowListener;
        this.exceeded = exceeded;
        this.timer = timer(threadName);
    }

    private ScheduledThreadPoolExecutor timer(String threadName) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread created = new Thread(task, threadName);
                    created.setDaemon(true);
                    thread = created;
                    return created;
                },
                new ThreadPoolExecutor.DiscardPolicy()); // closed: nothing is watched
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** Watches work on the calling thread. */
    Watch watchWork() {
        Watch byLimit = watch(Duration.ZERO);
        return warnAfter == null
                ? byLimit
                : new Both(byLimit, schedule(new Overrun(WARN_AFTER, warnAfter, false), Duration.ZERO));
    }

    /**
     * Watches a listener on the calling thread. No other event comes before it returns, so the member must not lead anything until
     * then.
     */
    Watch watchListener(Object what) {
        Watch byLimit = watch(repeat);
        Thread thread = Thread.currentThread();
        ScheduledFuture<?> report =
                timer.schedule(() -> warnOfSlow(thread, what), slowListener.toNanos(), TimeUnit.NANOSECONDS);
        return () -> {
            report.cancel(false);
            byLimit.close();
        };
    }

    private void warnOfSlow(Thread thread, Object what) {
        log.warn(
                "a listener has not returned from {} within {}: until it does, no listener receives another event, and no work"
                        + " begins in a term that is acquired; {} is at {}",
                what,
                SettingsCheck.text(slowListener),
                thread.getName(),
                stack(thread));
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(System.lineSeparator() + "\tat "));
    }

    private Watch watch(Duration again) {
        return limit == null ? Watch.NONE : schedule(new Overrun(LIMIT, limit, true), again);
    }

    private Watch schedule(Overrun overrun, Duration again) {
        long nanos = TimeUnit.NANOSECONDS.convert(overrun.allowed); // a duration may exceed the range of nanoseconds
        overrun.alarm = again.isZero()
                ? timer.schedule(overrun, nanos, TimeUnit.NANOSECONDS)
                : timer.scheduleWithFixedDelay(overrun, nanos, again.toNanos(), TimeUnit.NANOSECONDS);
        return overrun;
    }

    /** Ends all watches. */
    void close() {
        timer.shutdownNow();
        try {
            if (!timer.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("The thread of the work limit still runs {} after the close", CLOSE_LIMIT);
            }
            Thread last = thread;
            if (last != null && last != Thread.currentThread()) {
                last.join(CLOSE_LIMIT.toMillis()); // it ends a moment after its last task
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record Both(Watch first, Watch second) implements Watch {

        @Override
        public void detach(String what) {
            first.detach(what);
            second.detach(what);
        }

        @Override
        public void close() {
            first.close();
            second.close();
        }
    }

    private final class Overrun implements Runnable, Watch {

        private final Thread thread = Thread.currentThread();
        private final String property;
        private final Duration allowed;
        private final boolean stepsDown;
        private volatile @Nullable String detached;
        private @Nullable ScheduledFuture<?> alarm;
        private boolean warned;

        Overrun(String property, Duration allowed, boolean stepsDown) {
            this.property = property;
            this.allowed = allowed;
            this.stepsDown = stepsDown;
        }

        @Override
        public void detach(String what) {
            detached = what;
        }

        @Override
        public void close() {
            if (alarm != null) {
                alarm.cancel(false);
            }
        }

        @Override
        public void run() {
            if (!warned) {
                warned = true;
                warn(detached, stepsDown ? ", so this member steps down" : "");
            }
            if (stepsDown) {
                exceeded.run();
            }
        }

        private void warn(@Nullable String what, String consequence) {
            if (what == null) {
                log.warn(
                        "{} is '{}': {} has been working for longer{}; it is at {}",
                        property,
                        SettingsCheck.text(allowed),
                        thread.getName().isEmpty() ? thread : thread.getName(), // virtual threads usually have no name
                        consequence,
                        stack(thread));
            } else {
                log.warn(
                        "{} is '{}': {} has lasted for longer{}; no thread shows what it waits for",
                        property,
                        SettingsCheck.text(allowed),
                        what,
                        consequence);
            }
        }
    }
}
