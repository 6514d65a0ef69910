package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import static java.util.concurrent.TimeUnit.SECONDS;

/** What is measured of a partition, for all roles that map to it. */
final class PartitionMeters {

    private final Timer roundTrip;
    private final Counter bids;
    private final Counter takeovers;

    PartitionMeters(MeterRegistry meters, Tags group, SharedSnapshot snapshot, int number) {
        Tags tags = group.and("partition", Integer.toString(number));
        roundTrip = Timer.builder("neli.heartbeat.round.trip")
                .description("From sending a heartbeat until it is read back")
                .tags(tags)
                .register(meters);
        bids = Counter.builder("neli.bids")
                .description("Bids of this member because the leader was silent or nobody led")
                .tags(tags)
                .register(meters);
        takeovers = Counter.builder("neli.takeovers")
                .description("Claims of this member over a leader that had not resigned")
                .tags(tags)
                .register(meters);
        TimeGauge.builder("neli.preparing", snapshot, SECONDS, each -> each.secondsOfPreparing(number))
                .description(
                        "For how long a listener has not returned from this member's acquisition; no work begins meanwhile")
                .tags(tags)
                .register(meters);
        TimeGauge.builder("neli.lease.left", snapshot, SECONDS, each -> each.secondsOfLease(number))
                .description("How long this member's lease lasts if no further heartbeat is read back")
                .tags(tags)
                .register(meters);
    }

    void heartbeatRead(Duration time) {
        roundTrip.record(time);
    }

    void bidSent() {
        bids.increment();
    }

    void takenOver() {
        takeovers.increment();
    }
}
