package io.neli.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.cluster.Line.Kind;

/** Asks whether the member leads a role, and reports changes of the answer. */
final class Sampler {

    private static final Duration PAUSE = Duration.ofNanos(200_000);

    /** How often it reports an unchanged answer: a killed process reports nothing more. */
    private static final long REPEAT_NANOS = Duration.ofMillis(10).toNanos();

    private final Neli neli;
    private final Report report;
    private final String role;
    private boolean led;
    private long token;
    private long lastTrue;
    private long saidAt;

    Sampler(Neli neli, Report report, String role) {
        this.neli = neli;
        this.report = report;
        this.role = role;
    }

    /** Samples forever. */
    static void run(List<Sampler> samplers) {
        while (true) {
            samplers.forEach(Sampler::sample);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void sample() {
        long asked = System.nanoTime();
        boolean leads = neli.isLeader(role);
        long answered = System.nanoTime();
        // If leadership ended between the two questions, the term was still the same.
        long unknown = led ? token : 0;
        long now = leads ? neli.leadership(role).map(Leadership::token).orElse(unknown) : 0;
        if (led && (!leads || now != token)) {
            report.write(asked, Kind.LEADS_NOT, "role=" + role + " last=" + lastTrue);
            led = false;
        }
        if (leads) {
            // Use the time of the question: the answer may have been true only then, if the process was stopped after.
            lastTrue = asked;
            if (!led) {
                report.write(answered, Kind.LEADS, "role=" + role + " token=" + now);
                saidAt = asked;
            } else if (asked - saidAt > REPEAT_NANOS) {
                report.write(asked, Kind.STILL_LEADS, "role=" + role);
                saidAt = asked;
            }
            led = true;
            token = now;
        }
    }
}
