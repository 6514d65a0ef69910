package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.neli.NeliMetrics.WorkOutcome;
import org.jspecify.annotations.Nullable;

/** What becomes of the gated work in a role. */
final class WorkMeters {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Map<WorkOutcome, Timer> ended = new EnumMap<>(WorkOutcome.class);
    private final Counter skipped;
    private long skippedNanos;
    private @Nullable Long skippedSince;

    WorkMeters(MeterRegistry meters, Tags tags) {
        clock = meters.config().clock();
        for (WorkOutcome outcome : WorkOutcome.values()) {
            ended.put(
                    outcome,
                    Timer.builder("neli.work")
                            .description("Gated work, such as calls of @LeaderOnly methods, that has ended")
                            .tags(tags.and("outcome", Transition.tag(outcome)))
                            .register(meters));
        }
        skipped = Counter.builder("neli.skipped")
                .description("Gated work that was not let in, as this member does not lead")
                .tags(tags)
                .register(meters);
        FunctionCounter.builder("neli.skipped.time", this, WorkMeters::secondsSkipped)
                .description("From the first piece of gated work that is skipped to the next that is not, in all")
                .baseUnit("seconds")
                .tags(tags)
                .register(meters);
    }

    synchronized void begun() {
        Long since = skippedSince;
        if (since != null) {
            skippedNanos += clock.monotonicTime() - since;
            skippedSince = null;
        }
    }

    void ended(WorkOutcome outcome, Duration duration) {
        Timer timer = ended.get(outcome);
        if (timer != null) {
            timer.record(duration);
        }
    }

    void skipped() {
        skipped.increment();
        synchronized (this) {
            if (skippedSince == null) {
                skippedSince = clock.monotonicTime();
            }
        }
    }

    private synchronized double secondsSkipped() {
        Long since = skippedSince;
        long current = since == null ? 0 : clock.monotonicTime() - since;
        return (skippedNanos + current) / NANOS_PER_SECOND;
    }
}
