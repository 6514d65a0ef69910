package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.neli.LeaderEvent;
import io.neli.Neli;
import io.neli.NeliMetrics;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The election's meters. All are there from the start, so that a dashboard shows zeros and not gaps, and go on counting when
 * the election is stopped and started; they are removed from their registries when this is closed. Thread-safe.
 */
final class NeliMeterBinder implements MeterBinder, NeliMetrics, AutoCloseable {

    private final Supplier<Neli> election;
    private final CompositeMeterRegistry meters;
    private final Map<Integer, PartitionMeters> partitions = new ConcurrentHashMap<>();
    private final Map<String, RoleMeters> roles = new ConcurrentHashMap<>();
    private final Map<String, WorkMeters> work = new ConcurrentHashMap<>();
    private volatile @Nullable Bound bound;

    /** What the meters are bound to. */
    private record Bound(Neli neli, Tags group, LeadReadings readings) {}

    NeliMeterBinder(Supplier<Neli> election, Clock clock) {
        this.election = election;
        this.meters = new CompositeMeterRegistry(clock);
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        if (bound == null) {
            register(election.get());
        }
        meters.add(registry);
    }

    private void register(Neli neli) {
        NeliSnapshot snapshot = neli.snapshot();
        Tags group = Tags.of("group", snapshot.groupId());
        LeadReadings readings = new LeadReadings(neli, meters.config().clock());
        bound = new Bound(neli, group, readings);
        for (NeliSnapshot.Partition partition : snapshot.partitions()) {
            int number = partition.partition();
            partitions.put(number, new PartitionMeters(meters, group, readings, number));
            for (String role : partition.roles()) {
                Tags tags = group.and("role", role);
                roles.put(role, new RoleMeters(meters, tags, readings, number));
                work.put(role, new WorkMeters(meters, tags));
            }
        }
    }

    @Override
    public void close() {
        List.copyOf(meters.getMeters()).forEach(meters::remove);
    }

    @Override
    public void changed(LeaderEvent event) {
        RoleMeters role = roles.get(event.role());
        if (role != null) {
            role.changed(event);
        }
    }

    @Override
    public void led(int partition, Duration time) {
        Bound current = bound;
        if (current != null) {
            current.readings().led(partition, time);
        }
    }

    @Override
    public void heartbeatRead(int partition, Duration roundTrip) {
        PartitionMeters measured = partitions.get(partition);
        if (measured != null) {
            measured.heartbeatRead(roundTrip);
        }
    }

    @Override
    public void bidSent(int partition) {
        PartitionMeters measured = partitions.get(partition);
        if (measured != null) {
            measured.bidSent();
        }
    }

    @Override
    public void takenOver(int partition) {
        PartitionMeters measured = partitions.get(partition);
        if (measured != null) {
            measured.takenOver();
        }
    }

    @Override
    public void workBegun(String role) {
        WorkMeters measured = workIn(role);
        if (measured != null) {
            measured.begun();
        }
    }

    @Override
    public void workEnded(String role, WorkOutcome outcome, Duration duration) {
        WorkMeters measured = workIn(role);
        if (measured != null) {
            measured.ended(outcome, duration);
        }
    }

    @Override
    public void workSkipped(String role) {
        WorkMeters measured = workIn(role);
        if (measured != null) {
            measured.skipped();
        }
    }

    /** A role that is not listed counts as its partition: there may be one for each customer. */
    private @Nullable WorkMeters workIn(String role) {
        Bound current = bound;
        WorkMeters listed = work.get(role);
        if (listed != null || current == null) {
            return listed;
        }
        String name = "partition-" + current.neli().partitionOf(role);
        return work.computeIfAbsent(
                name, created -> new WorkMeters(meters, current.group().and("role", created)));
    }
}
