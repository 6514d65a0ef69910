package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.Search;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Neli;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import io.neli.NeliMetrics.WorkOutcome;
import io.neli.NeliSnapshot;
import io.neli.NeliSnapshot.Log;
import io.neli.NeliSnapshot.Partition;
import org.jspecify.annotations.Nullable;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** The meters of an election in one registry, which looks them up by their tags. Thread-safe. */
final class ElectionMeters {

    private static final String ROLE = "role";
    /** Not just {@code job}, which Prometheus sets to the name of the scrape job. */
    private static final String JOB = "job.name";

    private static final String PARTITION = "partition";
    /** How long a snapshot is reused: longer than it takes to read all meters, and too short to be noticed. */
    private static final long USED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Neli neli;
    private final MeterRegistry registry;
    private final Tags group;
    private final Set<String> roles = ConcurrentHashMap.newKeySet();
    private final Set<String> jobs = ConcurrentHashMap.newKeySet();
    private final MeterProvider<Timer> roundTrips;
    private final MeterProvider<Counter> bids;
    private final MeterProvider<Counter> takeovers;
    private final MeterProvider<Counter> transitions;
    private final MeterProvider<Timer> work;
    private final MeterProvider<Counter> skipped;
    private final MeterProvider<Timer> runs;
    private final MeterProvider<Counter> abandoned;
    private @Nullable NeliSnapshot latest;
    private long takenNanos;

    ElectionMeters(Neli neli, MeterRegistry registry) {
        this.neli = neli;
        this.registry = registry;
        NeliSnapshot first = neli.snapshot();
        group = Tags.of("group", first.groupId());
        roundTrips = timer("neli.heartbeat.round.trip", "From sending a heartbeat until it is read back");
        bids = counter("neli.bids", "Bids of this member: the leader is silent or should hand over, or nobody leads");
        takeovers = counter("neli.takeovers", "Claims of this member over a leader that had not resigned");
        transitions = counter("neli.transitions", "Changes of this member's leadership");
        work = timer("neli.work", "Work, such as calls of @LeaderOnly methods, that has ended");
        skipped = counter("neli.skipped", "Work that did not begin because this member did not lead");
        runs = timer("neli.runs", "Runs of jobs that have ended");
        abandoned = counter("neli.runs.abandoned", "Runs of jobs that were begun, did not end, and are not repeated");
        gauge("neli.problem", "has a problem", group, each -> each.snapshot()
                .problem()
                .isPresent());
        first.partitions().forEach(this::create);
    }

    private MeterProvider<Timer> timer(String name, String description) {
        return Timer.builder(name).description(description).tags(group).withRegistry(registry);
    }

    private MeterProvider<Counter> counter(String name, String description) {
        return Counter.builder(name).description(description).tags(group).withRegistry(registry);
    }

    private void gauge(String name, String what, Tags tags, Predicate<ElectionMeters> isTrue) {
        Gauge.builder(name, this, each -> isTrue.test(each) ? 1 : 0)
                .description("1 while this member " + what + ", else 0")
                .tags(tags)
                .register(registry);
    }

    private void create(Partition partition) {
        int number = partition.partition();
        roundTrips(number);
        bids(number);
        takeovers(number);
        Tags tags = group.and(PARTITION, Integer.toString(number));
        TimeGauge.builder("neli.preparing", this, NANOSECONDS, each -> each.nanos(number, Partition::preparingFor))
                .description(
                        "For how long a listener has not returned from this member's acquisition; no work begins meanwhile")
                .tags(tags)
                .register(registry);
        TimeGauge.builder("neli.lease.left", this, NANOSECONDS, each -> each.nanos(number, Partition::leaseLeft))
                .description("How long this member's lease lasts if no further heartbeat is read back")
                .tags(tags)
                .register(registry);
        if (partition.logs().size() > 1) {
            partition.logs().forEach(log -> create(tags.and("topic", log.topic()), number, log.topic()));
        }
        for (String role : partition.roles()) {
            gauge("neli.leader", "leads the role", group.and(ROLE, role), each -> each.isLeading(number));
            transitions(role, "acquired", "none");
            Stream.of(RevokeReason.values()).forEach(reason -> transitions(role, "revoked", tag(reason)));
            Stream.of(FenceReason.values()).forEach(reason -> transitions(role, "fenced", tag(reason)));
            createWork(role);
        }
    }

    private void create(Tags tags, int partition, String topic) {
        String reads = "reads the log and what it writes there comes back";
        gauge("neli.log.readable", reads, tags, each -> each.isLog(partition, topic, Log::readable));
        gauge("neli.log.held", "holds the log", tags, each -> each.isLog(partition, topic, Log::held));
    }

    private double nanos(int partition, Function<Partition, Duration> duration) {
        return partition(partition).map(duration).orElse(Duration.ZERO).toNanos();
    }

    private boolean isLeading(int partition) {
        return partition(partition).filter(Partition::leading).isPresent();
    }

    private boolean isLog(int partition, String topic, Predicate<Log> how) {
        return partition(partition).stream()
                .flatMap(found -> found.logs().stream())
                .anyMatch(log -> log.topic().equals(topic) && how.test(log));
    }

    private Optional<Partition> partition(int number) {
        List<Partition> partitions = snapshot().partitions();
        return number < partitions.size() ? Optional.of(partitions.get(number)) : Optional.empty();
    }

    /** Returns the same snapshot for all gauges that are read together. */
    private NeliSnapshot snapshot() {
        NeliSnapshot fresh;
        synchronized (this) {
            long now = registry.config().clock().monotonicTime();
            NeliSnapshot known = latest;
            if (known != null && now - takenNanos <= USED_NANOS) {
                return known;
            }
            fresh = neli.snapshot();
            latest = fresh;
            takenNanos = now;
        }
        createJobs(fresh);
        return fresh;
    }

    private void createWork(String role) {
        if (roles.add(role)) {
            Stream.of(WorkOutcome.values()).forEach(outcome -> work.withTags(ROLE, role, "outcome", tag(outcome)));
            skipped.withTags(ROLE, role);
        }
    }

    Timer roundTrips(int partition) {
        return roundTrips.withTags(PARTITION, Integer.toString(partition));
    }

    Counter bids(int partition) {
        return bids.withTags(PARTITION, Integer.toString(partition));
    }

    Counter takeovers(int partition) {
        return takeovers.withTags(PARTITION, Integer.toString(partition));
    }

    /** Called at each acquisition and with each snapshot, because jobs may have been added since, even in a term. */
    private void createJobs(NeliSnapshot now) {
        for (NeliSnapshot.Job job : now.jobs()) {
            if (neli.isLeader(job.role())) {
                createJob(job.name());
            }
        }
    }

    private void createJob(String job) {
        if (jobs.add(job)) { // Micrometer warns of a gauge that is registered again
            TimeGauge.builder("neli.run.overdue", this, NANOSECONDS, each -> each.overdue(job))
                    .description("For how long a run of the job has been due without having begun, on the leader")
                    .tags(group.and(JOB, job))
                    .register(registry);
            abandoned(job);
            for (RunOutcome outcome : RunOutcome.values()) {
                for (RunKind kind : RunKind.values()) {
                    runs(job, outcome, kind);
                }
            }
        }
    }

    private double overdue(String name) {
        Instant now = Instant.ofEpochMilli(registry.config().clock().wallTime());
        return snapshot().jobs().stream()
                .filter(job -> job.name().equals(name) && !job.running())
                .flatMap(job -> job.nextDue().stream())
                .mapToDouble(due -> Math.max(0, NANOSECONDS.convert(Duration.between(due, now)))) // saturates
                .findFirst()
                .orElse(0);
    }

    Timer runs(String job, RunOutcome outcome, RunKind kind) {
        return runs.withTags(JOB, job, "outcome", tag(outcome), "kind", tag(kind));
    }

    Counter abandoned(String job) {
        return abandoned.withTags(JOB, job);
    }

    void changed(LeaderEvent event) {
        synchronized (this) {
            latest = event instanceof LeaderAcquired ? latest : null; // shows what is led no longer
        }
        if (event instanceof LeaderRevoked revoked) {
            transitions(event.role(), "revoked", tag(revoked.reason())).increment();
        } else if (event instanceof LeaderFenced fenced) {
            transitions(event.role(), "fenced", tag(fenced.reason())).increment();
        } else {
            transitions(event.role(), "acquired", "none").increment();
            createJobs(snapshot());
        }
    }

    private Counter transitions(String role, String event, String reason) {
        return transitions.withTags(ROLE, role, "event", event, "reason", reason);
    }

    Timer work(String role, WorkOutcome outcome) {
        return work.withTags(ROLE, counted(role), "outcome", tag(outcome));
    }

    Counter skipped(String role) {
        return skipped.withTags(ROLE, counted(role));
    }

    /** The role tag of work. Unlisted roles count under their partition, because there may be one for each customer. */
    private String counted(String role) {
        if (roles.contains(role)) {
            return role;
        }
        String partition = "partition-" + neli.partitionOf(role);
        createWork(partition);
        return partition;
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Removes the meters. In a registry that is used again, the next binder would find those of a closed election. */
    void remove() {
        Search.in(registry)
                .name(name -> name.startsWith("neli."))
                .tags(group)
                .meters()
                .forEach(registry::remove);
    }
}
