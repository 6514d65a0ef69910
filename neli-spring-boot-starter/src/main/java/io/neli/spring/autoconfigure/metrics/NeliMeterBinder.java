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
 * The election's meters. All are there from the start, so that a dashboard shows zeros and not gaps, and go on counting when
 * the election is stopped and started; a registry that outlives this one is left without them. Thread-safe.
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

    /** A registry with the meters of an election. */
    private record Bound(MeterRegistry registry, Neli neli, Tags group, LeadReadings readings) {}

    NeliMeterBinder(Supplier<Neli> election) {
        this.election = election;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Neli neli = election.get();
        NeliSnapshot snapshot = neli.snapshot();
        Tags group = Tags.of(GROUP, snapshot.groupId());
        LeadReadings readings = new LeadReadings(neli, registry.config().clock());
        for (NeliSnapshot.Partition partition : snapshot.partitions()) {
            int number = partition.partition();
            add(partitions, number, new PartitionMeters(registry, group, readings, number));
            for (String role : partition.roles()) {
                Tags tags = group.and(ROLE, role);
                add(roles, role, new RoleMeters(registry, tags, readings, number));
                add(work, role, new WorkMeters(registry, tags));
            }
        }
        bound.add(new Bound(registry, neli, group, readings));
    }

    private static <K, M> void add(Map<K, List<M>> meters, K key, M added) {
        meters.computeIfAbsent(key, created -> new CopyOnWriteArrayList<>()).add(added);
    }

    /** Or the next binder would find these meters, and they an election that is gone. */
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
        tell(roles, event.role(), role -> role.changed(event));
    }

    @Override
    public void led(int partition, Duration time) {
        bound.forEach(each -> each.readings().led(partition, time));
    }

    @Override
    public void heartbeatRead(int partition, Duration roundTrip) {
        tell(partitions, partition, each -> each.heartbeatRead(roundTrip));
    }

    @Override
    public void bidSent(int partition) {
        tell(partitions, partition, PartitionMeters::bidSent);
    }

    @Override
    public void takenOver(int partition) {
        tell(partitions, partition, PartitionMeters::takenOver);
    }

    @Override
    public void workBegun(String role) {
        tell(work, counted(role), WorkMeters::begun);
    }

    @Override
    public void workEnded(String role, WorkOutcome outcome, Duration duration) {
        tell(work, counted(role), each -> each.ended(outcome, duration));
    }

    @Override
    public void workSkipped(String role) {
        tell(work, counted(role), WorkMeters::skipped);
    }

    private static <K, M> void tell(Map<K, List<M>> meters, K key, Consumer<M> measurement) {
        meters.getOrDefault(key, List.of()).forEach(measurement);
    }

    /** A role that is not listed counts as its partition: there may be one for each customer. */
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
