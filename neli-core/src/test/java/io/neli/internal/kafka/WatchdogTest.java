package io.neli.internal.kafka;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class WatchdogTest {

    private static final Duration PERIOD = Duration.ofMillis(1);
    private static final MemberClock CLOCK = MemberClock.system();

    private final AtomicReference<MonotonicTime> deadline = new AtomicReference<>(MonotonicTime.NEVER);
    private final AtomicLong looks = new AtomicLong();
    private final AtomicInteger wakeups = new AtomicInteger();
    private final AtomicReference<MonotonicTime> wokenAt = new AtomicReference<>(MonotonicTime.NEVER);
    private final Watchdog watchdog = watchdog(PERIOD);
    private final Thread thread = new Thread(watchdog);

    private Watchdog watchdog(Duration longestSleep) {
        return new Watchdog(
                CLOCK,
                () -> {
                    looks.incrementAndGet();
                    return deadline.get();
                },
                () -> {
                    wokenAt.set(CLOCK.time());
                    wakeups.incrementAndGet();
                },
                PERIOD,
                longestSleep);
    }

    @AfterEach
    void end() throws InterruptedException {
        watchdog.close();
        thread.join();
    }

    @Test
    void it_sleeps_until_the_reader_is_late() throws InterruptedException {
        MonotonicTime end = CLOCK.time().plus(Duration.ofMillis(50));
        deadline.set(end);
        Watchdog patient = watchdog(Duration.ofHours(1));
        Thread sleeping = new Thread(patient);
        sleeping.start();
        eventually().until(() -> wakeups.get() > 0);
        assertThat(wokenAt.get()).isGreaterThanOrEqualTo(end.plus(PERIOD));
        patient.close();
        sleeping.join();
    }

    @Test
    void a_reader_within_its_deadline_sleeps_on() {
        deadline.set(CLOCK.time().plus(Duration.ofHours(1)));
        thread.start();
        eventually().until(() -> looks.get() > 20);
        assertThat(wakeups).hasValue(0);
    }
}
