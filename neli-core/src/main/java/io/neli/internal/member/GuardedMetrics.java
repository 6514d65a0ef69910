package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.NeliMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to all recipients, even if some of them throw. Thread-safe. */
public final class GuardedMetrics implements NeliMetrics {

    private static final Logger log = LoggerFactory.getLogger(GuardedMetrics.class);

    private final List<NeliMetrics> recipients;
    private final AtomicBoolean warned = new AtomicBoolean();

    public GuardedMetrics(List<NeliMetrics> recipients) {
        this.recipients = List.copyOf(recipients);
    }

    @Override
    public void changed(LeaderEvent event) {
        report(recipient -> recipient.changed(event));
    }

    @Override
    public void handedOver(int partition, long token) {
        report(recipient -> recipient.handedOver(partition, token));
    }

    @Override
    public void heartbeatRead(int partition, Duration roundTrip) {
        report(recipient -> recipient.heartbeatRead(partition, roundTrip));
    }

    @Override
    public void bidSent(int partition) {
        report(recipient -> recipient.bidSent(partition));
    }

    @Override
    public void takenOver(int partition) {
        report(recipient -> recipient.takenOver(partition));
    }

    @Override
    public void workEnded(String role, WorkOutcome outcome, Duration duration) {
        report(recipient -> recipient.workEnded(role, outcome, duration));
    }

    @Override
    public void workSkipped(String role) {
        report(recipient -> recipient.workSkipped(role));
    }

    @Override
    public void runEnded(String job, RunOutcome outcome, RunKind kind, Duration duration) {
        report(recipient -> recipient.runEnded(job, outcome, kind, duration));
    }

    @Override
    public void runAbandoned(String job) {
        report(recipient -> recipient.runAbandoned(job));
    }

    private void report(Consumer<NeliMetrics> measurement) {
        for (NeliMetrics recipient : recipients) {
            try {
                measurement.accept(recipient);
            } catch (Throwable e) { // even a checked exception, from Kotlin
                if (warned.getAndSet(true)) { // warns only once, because heartbeats come several times a second
                    log.debug("{} failed", recipient, e);
                } else {
                    log.warn(
                            "{} failed; it is still called, and further failures are logged at debug level",
                            recipient,
                            e);
                }
            }
        }
    }
}
