package io.neli.kafka;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WatchdogTest {

    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong deadline = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong looks = new AtomicLong();
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Watchdog watchdog = new Watchdog(
            () -> {
                looks.incrementAndGet();
                return deadline.get();
            },
            wakeups::incrementAndGet,
            PERIOD);
    private final Thread thread = new Thread(watchdog);

    @AfterEach
    void end() throws InterruptedException {
        watchdog.close();
        thread.join();
    }

    @Test
    void aReaderBeyondItsDeadlineIsWokenUntilItIsAwake() {
        thread.start();
        deadline.set(System.nanoTime());
        Awaitility.await().until(() -> wakeups.get() > 3);

        deadline.set(Long.MAX_VALUE);
        long looked = looks.get();
        Awaitility.await().until(() -> looks.get() > looked + 1);
        int woken = wakeups.get();
        Awaitility.await().until(() -> looks.get() > looked + 20);
        assertThat(wakeups).hasValue(woken);
    }

    @Test
    void aReaderWithinItsDeadlineSleepsOn() {
        deadline.set(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        thread.start();
        Awaitility.await().until(() -> looks.get() > 20);
        assertThat(wakeups).hasValue(0);
    }
}
