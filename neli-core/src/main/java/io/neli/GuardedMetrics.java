package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.neli.kafka.Measurements;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all recipients, whatever they throw. Thread-safe. */
final class GuardedMetrics implements NeliMetrics, Measurements {

    private static final Logger log = LoggerFactory.getLogger(GuardedMetrics.class);

    private final List<NeliMetrics> recipients;
    private final AtomicBoolean warned = new AtomicBoolean();

    GuardedMetrics(List<NeliMetrics> recipients) {
        this.recipients = List.copyOf(recipients);
    }

    @Override
    public void changed(LeaderEvent event) {
        tell(recipient -> recipient.changed(event));
    }

    @Override
    public void led(int partition, Duration time) {
        tell(recipient -> recipient.led(partition, time));
    }

    @Override
    public void heartbeatRead(int partition, Duration roundTrip) {
        tell(recipient -> recipient.heartbeatRead(partition, roundTrip));
    }

    @Override
    public void bidSent(int partition) {
        tell(recipient -> recipient.bidSent(partition));
    }

    @Override
    public void takenOver(int partition) {
        tell(recipient -> recipient.takenOver(partition));
    }

    @Override
    public void workBegun(String role) {
        tell(recipient -> recipient.workBegun(role));
    }

    @Override
    public void workEnded(String role, WorkOutcome outcome, Duration duration) {
        tell(recipient -> recipient.workEnded(role, outcome, duration));
    }

    @Override
    public void workSkipped(String role) {
        tell(recipient -> recipient.workSkipped(role));
    }

    private void tell(Consumer<NeliMetrics> measurement) {
        for (NeliMetrics recipient : recipients) {
            try {
                measurement.accept(recipient);
            } catch (Throwable e) { // also a checked one, from Kotlin
                failed(recipient, e);
            }
        }
    }

    /** Once is enough to be seen: heartbeats come several times a second. */
    private void failed(NeliMetrics recipient, Throwable failure) {
        if (!warned.getAndSet(true)) {
            log.warn(
                    "{} failed; it goes on to be told, and further failures are logged at debug level",
                    recipient,
                    failure);
        } else {
            log.debug("{} failed", recipient, failure);
        }
    }
}
