package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.search.Search;
import io.neli.LeaderEvent;
import io.neli.Neli;
import io.neli.NeliMetrics;
import io.neli.NeliSnapshot;

/**
 * The election's meters. All exist from the start, so that a dashboard shows zeros and not gaps, and keep counting when the
 * election is stopped and started. Thread-safe.
 */
final class NeliMeterBinder implements MeterBinder, NeliMetrics, AutoCloseable {

    private static final String PREFIX = "neli.";
    private static final String GROUP = "group";
    private static final String ROLE = "role";

    private final Supplier<Neli> election;
    private final List<Bound> bound = new CopyOnWriteArrayList<>();
    private final Map<Integer, List<PartitionMeters>> partitions = new ConcurrentHashMap<>();
    private final Map<String, List<RoleMeters>> roles = new ConcurrentHashMap<>();
    private final Map<String, List<WorkMeters>> work = new ConcurrentHashMap<>();

    /** A registry with the meters of an election, and the snapshot that its gauges refer to weakly. */
    private record Bound(MeterRegistry registry, Neli neli, Tags group, SharedSnapshot snapshot) {}

    NeliMeterBinder(Supplier<Neli> election) {
        this.election = election;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Neli neli = election.get();
        NeliSnapshot first = neli.snapshot();
        Tags group = Tags.of(GROUP, first.groupId());
        SharedSnapshot snapshot = new SharedSnapshot(neli, registry.config().clock());
        for (NeliSnapshot.Partition partition : first.partitions()) {
            int number = partition.partition();
            add(partitions, number, new PartitionMeters(registry, group, snapshot, number));
            for (String role : partition.roles()) {
                Tags tags = group.and(ROLE, role);
                add(roles, role, new RoleMeters(registry, tags, snapshot, number));
                add(work, role, new WorkMeters(registry, tags));
            }
        }
        bound.add(new Bound(registry, neli, group, snapshot));
    }

    private static <K, M> void add(Map<K, List<M>> meters, K key, M added) {
        meters.computeIfAbsent(key, created -> new CopyOnWriteArrayList<>()).add(added);
    }

    /** Removes the meters: in a registry that is used further, the next binder would find those of a closed election. */
    @Override
    public void close() {
        for (Bound each : bound) {
            Search.in(each.registry())
                    .name(name -> name.startsWith(PREFIX))
                    .tags(each.group())
                    .meters()
                    .forEach(each.registry()::remove);
        }
    }

    @Override
    public void changed(LeaderEvent event) {
        bound.forEach(each -> each.snapshot().expire());
        record(roles, event.role(), role -> role.changed(event));
    }

    @Override
    public void heartbeatRead(int partition, Duration roundTrip) {
        record(partitions, partition, each -> each.heartbeatRead(roundTrip));
    }

    @Override
    public void bidSent(int partition) {
        record(partitions, partition, PartitionMeters::bidSent);
    }

    @Override
    public void takenOver(int partition) {
        record(partitions, partition, PartitionMeters::takenOver);
    }

    @Override
    public void workEnded(String role, WorkOutcome outcome, Duration duration) {
        record(work, counted(role), each -> each.ended(outcome, duration));
    }

    @Override
    public void workSkipped(String role) {
        record(work, counted(role), WorkMeters::skipped);
    }

    private static <K, M> void record(Map<K, List<M>> meters, K key, Consumer<M> measurement) {
        meters.getOrDefault(key, List.of()).forEach(measurement);
    }

    /** A role that is not listed counts as its partition, as there may be one for each customer. */
    private String counted(String role) {
        if (work.containsKey(role) || bound.isEmpty()) {
            return role;
        }
        String partition = "partition-" + bound.get(0).neli().partitionOf(role);
        work.computeIfAbsent(partition, created -> bound.stream()
                .map(each -> new WorkMeters(each.registry(), each.group().and(ROLE, created)))
                .toList());
        return partition;
    }
}
