package io.neli.spring.autoconfigure.metrics;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.neli.LeaderEvent;

/** Whether this member leads a role, and how that changes. */
final class RoleMeters {

    private final Map<Transition, Counter> transitions;

    RoleMeters(MeterRegistry meters, Tags tags, SharedSnapshot snapshot, int partition) {
        Gauge.builder("neli.leader", snapshot, each -> each.leads(partition))
                .description("1 while this member leads the role, else 0")
                .tags(tags)
                .register(meters);
        transitions = Transition.all()
                .collect(Collectors.toMap(Function.identity(), each -> Counter.builder("neli.transitions")
                        .description("Changes of this member's leadership")
                        .tags(tags.and("event", each.event(), "reason", each.reason()))
                        .register(meters)));
    }

    void changed(LeaderEvent event) {
        Counter counter = transitions.get(Transition.of(event));
        if (counter != null) {
            counter.increment();
        }
    }
}
