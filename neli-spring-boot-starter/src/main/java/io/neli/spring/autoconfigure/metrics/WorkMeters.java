package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.neli.NeliMetrics.WorkOutcome;

/** The outcome of the work in a role. */
final class WorkMeters {

    private final Map<WorkOutcome, Timer> ended = new EnumMap<>(WorkOutcome.class);
    private final Counter skipped;

    WorkMeters(MeterRegistry meters, Tags tags) {
        for (WorkOutcome outcome : WorkOutcome.values()) {
            ended.put(
                    outcome,
                    Timer.builder("neli.work")
                            .description("Work, such as calls of @LeaderOnly methods, that has ended")
                            .tags(tags.and("outcome", Transition.tag(outcome)))
                            .register(meters));
        }
        skipped = Counter.builder("neli.skipped")
                .description("Work that did not begin because this member did not lead")
                .tags(tags)
                .register(meters);
    }

    void ended(WorkOutcome outcome, Duration duration) {
        Timer timer = ended.get(outcome);
        if (timer != null) {
            timer.record(duration);
        }
    }

    void skipped() {
        skipped.increment();
    }
}
