package io.neli.cluster;

import java.time.Duration;
import java.util.concurrent.Callable;

import org.awaitility.Awaitility;

/** Waits for conditions, with a bound. */
public final class Await {

    private static final Duration POLL = Duration.ofMillis(5);

    private Await() {}

    public static void until(String what, Duration limit, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(limit)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .pollInSameThread()
                .until(condition);
    }

    /** Lets time pass without waiting for a condition. */
    public static void elapsed(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        until("time goes by", time.plusMinutes(1), () -> System.nanoTime() - until >= 0);
    }
}
