package io.neli.internal.shell;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.neli.NeliMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports measurements to all recipients, even if some of them throw. Thread-safe. */
public final class MetricsReporter {

    private static final Logger log = LoggerFactory.getLogger(MetricsReporter.class);

    private final List<NeliMetrics> recipients;
    private final AtomicBoolean warned = new AtomicBoolean();

    public MetricsReporter(List<NeliMetrics> recipients) {
        this.recipients = List.copyOf(recipients);
    }

    /** Passes a measurement to each recipient. Throws nothing. */
    public void report(Consumer<NeliMetrics> measurement) {
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
