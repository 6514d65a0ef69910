package io.neli.internal.member;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects work and listeners that run for longer than the limit, if there is one, and logs slow ones. Uses one thread,
 * which exists only while something is watched. Thread-safe.
 */
final class WorkLimit {

    private static final Logger log = LoggerFactory.getLogger(WorkLimit.class);

    private static final String LIMIT = "neli.work.limit";
    private static final String WARN_AFTER = "neli.work.warn-after";
    private static final String STEPS_DOWN = ", so this member steps down";

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    static final Duration SLOW_LISTENER = Duration.ofSeconds(30);
    private static final int FRAMES = 8;
    private static final MemberClock CLOCK = MemberClock.system();

    private final @Nullable Duration limit;
    private final @Nullable Duration warnAfter;
    private final Duration repeat;
    private final Runnable exceeded;
    private final Duration slowListener;
    private final ScheduledThreadPoolExecutor timer;

    /**
     * @param limit null for none
     * @param warnAfter after how long work is logged, whatever the limit; null for never
     * @param repeat how often {@code exceeded} is called again while a listener has not returned
     * @param slowListener after how long a listener is logged, whatever the limit
     * @param exceeded called when the limit is exceeded; must return immediately
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
        this.timer = DaemonThread.timer(threadName);
    }

    /** Watches work on the calling thread. */
    Watch watchWork() {
        Watch watch = new Watch();
        if (limit != null) {
            watch.warnAfter(limit, LIMIT, STEPS_DOWN);
            watch.after(limit, exceeded);
        }
        if (warnAfter != null) {
            watch.warnAfter(warnAfter, WARN_AFTER, "");
        }
        return watch;
    }

    /** Watches a listener on the calling thread. Until it returns, no event is delivered: the member must not lead. */
    Watch watchListener(Object what) {
        Watch watch = new Watch();
        if (limit != null) {
            watch.warnAfter(limit, LIMIT, STEPS_DOWN);
            watch.repeatedlyAfter(limit, exceeded);
        }
        watch.after(slowListener, () -> watch.warnOfListener(what));
        return watch;
    }

    void close() {
        timer.shutdownNow();
        DaemonThread.awaitEnd(timer, CLOSE_LIMIT);
    }

    /** Watches one piece of work or one call of a listener, until it is closed. */
    final class Watch implements AutoCloseable {

        private final Thread thread = Thread.currentThread();
        private final MonotonicTime begun = CLOCK.time();
        private final List<Future<?>> alarms = new ArrayList<>(2);
        private volatile @Nullable String detached;

        // convert() does not overflow: a limit may exceed the range of nanoseconds
        private void after(Duration time, Runnable alarm) {
            long nanos = TimeUnit.NANOSECONDS.convert(time);
            add(() -> timer.schedule(alarm, nanos, TimeUnit.NANOSECONDS));
        }

        private void repeatedlyAfter(Duration time, Runnable alarm) {
            long nanos = TimeUnit.NANOSECONDS.convert(time);
            add(() -> timer.scheduleWithFixedDelay(alarm, nanos, repeat.toNanos(), TimeUnit.NANOSECONDS));
        }

        private void add(Supplier<Future<?>> alarm) {
            try {
                timer.prestartCoreThread(); // if this fails, there is no alarm that nobody can cancel
                alarms.add(alarm.get());
            } catch (OutOfMemoryError e) { // what is watched matters more
                log.error("No thread can be created, so {} is not watched", name(), e);
            }
        }

        private void warnAfter(Duration allowed, String property, String consequence) {
            after(allowed, () -> warn(allowed, property, consequence));
        }

        /** The work continues without the thread that began it; warnings call it {@code what}. */
        void detach(String what) {
            detached = what;
        }

        Duration age() {
            return begun.until(CLOCK.time());
        }

        @Override
        public void close() {
            alarms.forEach(alarm -> alarm.cancel(false));
        }

        private void warn(Duration allowed, String property, String consequence) {
            String what = detached;
            String late = what == null
                    ? name() + " has been working for longer" + consequence + "; it is at " + stack()
                    : what + " has lasted for longer" + consequence + "; no thread shows what it waits for";
            log.warn("{} is '{}': {}", property, Problem.text(allowed), late);
        }

        /** Virtual threads usually have no name. */
        private Object name() {
            return thread.getName().isEmpty() ? thread : thread.getName();
        }

        private void warnOfListener(Object what) {
            log.warn(
                    "a listener has not returned from {} within {}: until it does, no listener receives another event,"
                            + " and no work begins in a term that is acquired; {} is at {}",
                    what,
                    Problem.text(slowListener),
                    thread.getName(),
                    stack());
        }

        private String stack() {
            return Arrays.stream(thread.getStackTrace())
                    .limit(FRAMES)
                    .map(StackTraceElement::toString)
                    .collect(Collectors.joining(System.lineSeparator() + "\tat "));
        }
    }
}
