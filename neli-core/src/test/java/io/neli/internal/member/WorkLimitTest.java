package io.neli.internal.member;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neli.LeaderEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static io.neli.TestMember.eventually;
import static io.neli.TestMember.threads;
import static org.assertj.core.api.Assertions.assertThat;

class WorkLimitTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final String THREAD = "limit-under-test";
    private static final LeaderEvent EVENT = new LeaderEvent.LeaderAcquired("invoices", 0, 7);

    private final Logger logger = (Logger) LoggerFactory.getLogger(WorkLimit.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final AtomicInteger struck = new AtomicInteger();
    private WorkLimit limit = limit(SHORT, null);

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void end() {
        logger.detachAppender(logged);
        limit.close();
        eventually().until(WorkLimitTest::hasNoThread);
    }

    private WorkLimit limit(@Nullable Duration hard, @Nullable Duration warning) {
        return new WorkLimit(hard, warning, SHORT, WorkLimit.SLOW_LISTENER, THREAD, struck::incrementAndGet);
    }

    private static boolean hasNoThread() {
        return threads(THREAD).isEmpty();
    }

    /** Waits until another limit has struck several times, so that at least this much time has passed. */
    private static void letSeveralPass() {
        AtomicInteger others = new AtomicInteger();
        WorkLimit other =
                new WorkLimit(SHORT, null, SHORT, WorkLimit.SLOW_LISTENER, "another-limit", others::incrementAndGet);
        WorkLimit.Watch watch = other.watchListener(EVENT);
        eventually().until(() -> others.get() >= 5);
        watch.close();
        other.close();
    }

    @Test
    void work_that_runs_too_long_strikes_once() {
        WorkLimit.Watch work = limit.watchWork();
        eventually().until(() -> struck.get() == 1);
        letSeveralPass();
        assertThat(struck).hasValue(1);
        work.close();
    }

    @Test
    void a_listener_that_runs_too_long_strikes_until_it_returns_with_one_warning_that_names_the_thread_and_its_stack() {
        WorkLimit.Watch listener = limit.watchListener(EVENT);
        eventually().until(() -> struck.get() >= 3);
        listener.close();
        limit.close();
        eventually().until(WorkLimitTest::hasNoThread);
        assertThat(logged.list).singleElement().satisfies(warning -> assertThat(warning.getFormattedMessage())
                .contains(
                        "neli.work.limit is '20ms'",
                        Thread.currentThread().getName(),
                        System.lineSeparator() + "\tat "));
        int before = struck.get();
        letSeveralPass();
        assertThat(struck).hasValue(before);
    }

    @Test
    void a_limit_may_be_longer_than_nanoseconds_can_count() {
        limit = limit(FOREVER, FOREVER);
        WorkLimit.Watch work = limit.watchWork();
        WorkLimit.Watch listener = limit.watchListener(EVENT);
        letSeveralPass();
        assertThat(struck).hasValue(0);
        listener.close();
        work.close();
    }

    @Test
    void work_that_ends_in_time_is_forgotten() {
        long took;
        do {
            long start = System.nanoTime();
            limit.watchWork().close();
            limit.watchListener(EVENT).close();
            took = System.nanoTime() - start;
            letSeveralPass();
        } while (took > SHORT.toNanos() && struck.getAndSet(0) >= 0); // repeated if the machine was too slow
        assertThat(struck).hasValue(0);
    }

    @Test
    void without_a_limit_work_is_not_watched_and_there_is_a_thread_while_a_listener_is_called() {
        limit = limit(null, null);
        WorkLimit.Watch listener = limit.watchListener(EVENT);
        assertThat(hasNoThread()).isFalse();
        listener.close();
        eventually().until(WorkLimitTest::hasNoThread);
        assertThat(logged.list).isEmpty();

        WorkLimit.Watch work = limit.watchWork();
        assertThat(hasNoThread()).isTrue();
        letSeveralPass();
        assertThat(struck).hasValue(0);
        work.close();
    }

    @Test
    void a_listener_that_does_not_return_is_reported_with_its_stack_also_without_a_limit() {
        limit = new WorkLimit(null, null, SHORT, SHORT, THREAD, struck::incrementAndGet);
        WorkLimit.Watch listener = limit.watchListener(EVENT);
        eventually().until(() -> !logged.list.isEmpty());
        listener.close();

        assertThat(struck).hasValue(0);
        assertThat(logged.list).singleElement().satisfies(warning -> assertThat(warning.getFormattedMessage())
                .contains(
                        "a listener has not returned from LeaderAcquired[role=invoices, partition=0, token=7] within 20ms",
                        Thread.currentThread().getName() + " is at ",
                        System.lineSeparator() + "\tat "));
    }

    @Test
    void work_goes_on_unwatched_after_the_close() {
        limit.watchWork();
        limit.close();
        eventually().until(WorkLimitTest::hasNoThread);
        WorkLimit.Watch late = limit.watchWork();
        assertThat(hasNoThread()).isTrue();
        late.close();
    }

    @Test
    void long_work_is_reported_once_and_goes_on() {
        limit = limit(null, SHORT);
        WorkLimit.Watch work = limit.watchWork();
        eventually().until(() -> !logged.list.isEmpty());
        letSeveralPass();
        work.close();

        assertThat(logged.list.stream().map(ILoggingEvent::getFormattedMessage))
                .filteredOn(message -> message.startsWith("neli.work.warn-after"))
                .singleElement()
                .asString()
                .startsWith("neli.work.warn-after is '20ms': "
                        + Thread.currentThread().getName() + " has been working for longer; it is at ");
        assertThat(struck).hasValue(0);
    }

    @Test
    void detached_long_work_is_reported_by_its_name() {
        Semaphore detached = new Semaphore(0);
        limit = new WorkLimit(SHORT, SHORT, SHORT, WorkLimit.SLOW_LISTENER, THREAD, detached::acquireUninterruptibly);
        WorkLimit.Watch before = limit.watchWork();
        eventually().until(detached::hasQueuedThreads); // blocks further reports until the work is detached
        WorkLimit.Watch work = limit.watchWork();
        work.detach("a detached thing");
        detached.release(2);
        eventually().untilAsserted(() -> assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        "neli.work.limit is '20ms': a detached thing has lasted for longer, so this member steps down; no thread"
                                + " shows what it waits for",
                        "neli.work.warn-after is '20ms': a detached thing has lasted for longer; no thread shows what it"
                                + " waits for"));
        before.close();
        work.close();
    }
}
