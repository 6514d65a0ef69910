package io.neli.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.cluster.Line.Kind;

/** Asks without end whether the member leads, and writes down when the answer changes. */
final class Sampler implements Runnable {

    private static final Duration PAUSE = Duration.ofNanos(200_000);

    /** How often it says that nothing has changed: a process that is killed says nothing more. */
    private static final long REPEAT_NANOS = Duration.ofMillis(10).toNanos();

    private final Neli neli;
    private final Report report;
    private boolean led;
    private long token;
    private long lastTrue;
    private long saidAt;

    Sampler(Neli neli, Report report) {
        this.neli = neli;
        this.report = report;
    }

    @Override
    public void run() {
        while (true) {
            long asked = System.nanoTime();
            boolean leads = neli.isLeader();
            long answered = System.nanoTime();
            take(asked, leads, answered);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void take(long asked, boolean leads, long answered) {
        long now = leads ? neli.leadership().map(Leadership::token).orElse(0L) : 0;
        if (led && (!leads || now != token)) {
            report.write(asked, Kind.LEADS_NOT, "last", lastTrue);
            led = false;
        }
        if (leads) {
            // When it was asked: the answer may have been true then only, if the process was stopped before it got it.
            lastTrue = asked;
            if (!led) {
                report.write(answered, Kind.LEADS, "token", now);
                saidAt = asked;
            } else if (asked - saidAt > REPEAT_NANOS) {
                report.write(asked, Kind.STILL_LEADS);
                saidAt = asked;
            }
            led = true;
            token = now;
        }
    }
}
