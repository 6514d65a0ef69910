package io.neli.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.neli.cluster.Await;
import io.neli.cluster.Cluster;
import io.neli.cluster.JavaProcess;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;
import io.neli.cluster.ServerProcess;
import io.neli.cluster.Timeline;
import org.jspecify.annotations.Nullable;

/** A group of members that do no work. Each process is named after its first member. */
final class QuietGroup implements AutoCloseable {

    private final ServerProcess servers;
    private final String id;
    private final Duration lease;
    private final Duration heartbeat;
    private final int partitions;
    private final int roles;
    private final Timeline timeline = new Timeline();
    private final Map<String, MemberProcess> processes = new LinkedHashMap<>();
    private final Map<String, Integer> starts = new HashMap<>();

    QuietGroup(ServerProcess servers, String purpose, Timing timing) {
        this(servers, purpose, timing, 1, 0);
    }

    QuietGroup(ServerProcess servers, String purpose, Timing timing, int partitions, int roles) {
        this.servers = servers;
        this.id = purpose + "-" + UUID.randomUUID().toString().substring(0, 8);
        this.lease = timing.lease();
        this.heartbeat = timing.heartbeat();
        this.partitions = partitions;
        this.roles = roles;
    }

    /** The lease and the heartbeat interval. */
    record Timing(Duration lease, Duration heartbeat) {

        static final Timing DEFAULT = new Timing(Cluster.DEFAULT_LEASE, Duration.ofMillis(500));
        static final Timing FAST = new Timing(Duration.ofMillis(500), Duration.ofMillis(100));

        @Override
        public String toString() {
            return "lease " + lease.toMillis() + " ms, heartbeat " + heartbeat.toMillis() + " ms";
        }
    }

    String id() {
        return id;
    }

    Duration lease() {
        return lease;
    }

    /** Starts a process with these members, once the previous process of this name has ended. */
    MemberProcess start(String... names) {
        MemberProcess former = processes.get(names[0]);
        if (former != null) {
            former.awaitEnd(Cluster.LIMIT);
        }
        String label = names[0] + "#" + starts.merge(names[0], 1, Integer::sum);
        JavaProcess started = JavaProcess.start(
                id + ".log",
                "-Xmx96m",
                QuietMemberMain.class,
                servers.address(),
                id,
                Long.toString(lease.toMillis()),
                Long.toString(heartbeat.toMillis()),
                Integer.toString(partitions),
                Integer.toString(roles),
                String.join(",", names));
        MemberProcess process = MemberProcess.of(names[0], label, timeline, started);
        processes.put(names[0], process);
        return process;
    }

    /** Starts those that do not run, each in its own process. Returns the leader when all are up and one leads. */
    MemberProcess complete(String... names) {
        for (String name : names) {
            if (!processes.containsKey(name) || !processes.get(name).isAlive()) {
                start(name);
            }
        }
        alive().forEach(process -> awaitUp(process, 1));
        Await.until("somebody leads " + id, Cluster.LIMIT, () -> leader().isPresent());
        return leader().orElseThrow();
    }

    void awaitUp(MemberProcess process, int members) {
        Await.until(process.label() + " is up", Cluster.LIMIT, () -> process.state("up")
                .equals(Integer.toString(members)));
    }

    List<MemberProcess> alive() {
        return processes.values().stream().filter(MemberProcess::isAlive).toList();
    }

    Optional<MemberProcess> leader() {
        return alive().stream().filter(process -> !led(process).isEmpty()).findFirst();
    }

    /** The partitions that the process leads according to its latest snapshot. */
    static Set<Integer> led(MemberProcess process) {
        return led(process.state("led"));
    }

    private static Set<Integer> led(String numbers) {
        return Arrays.stream(numbers.split(","))
                .filter(number -> !number.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** When the last of the roles was acquired after {@code afterNanos}, by processes that are alive. */
    long awaitAllLed(Set<String> wanted, long afterNanos) {
        Await.until(id + " leads all", Cluster.LIMIT, () -> ledSince(wanted, afterNanos) != null);
        Long since = ledSince(wanted, afterNanos);
        if (since == null) {
            throw new IllegalStateException("they were led a moment ago");
        }
        return since;
    }

    private @Nullable Long ledSince(Set<String> wanted, long afterNanos) {
        Set<String> missing = new HashSet<>(wanted);
        Set<String> alive = alive().stream().map(MemberProcess::label).collect(Collectors.toSet());
        for (Line line : timeline.notable()) {
            if (line.kind() == Kind.ACQUIRED && line.nanos() > afterNanos && alive.contains(line.process())) {
                missing.remove(line.role());
                if (missing.isEmpty()) {
                    return line.nanos();
                }
            }
        }
        return null;
    }

    /** The largest number of the roles that one process acquired after {@code afterNanos}. */
    long mostAcquiredByOne(Collection<String> roles, long afterNanos) {
        return timeline.notable().stream()
                .filter(line ->
                        line.kind() == Kind.ACQUIRED && line.nanos() > afterNanos && roles.contains(line.role()))
                .collect(Collectors.groupingBy(Line::process, Collectors.counting()))
                .values()
                .stream()
                .mapToLong(count -> count)
                .max()
                .orElse(0);
    }

    /** Nanoseconds from {@code afterNanos} to the first acquisition by another process. */
    long nanosToTakeover(MemberProcess former, long afterNanos) {
        return await(line -> line.kind() == Kind.ACQUIRED && !former.isFrom(line) && line.nanos() > afterNanos)
                        .nanos()
                - afterNanos;
    }

    long acquisitionsAfter(long nanos) {
        return timeline.notable().stream()
                .filter(line -> line.kind() == Kind.ACQUIRED && line.nanos() > nanos)
                .count();
    }

    Line await(Predicate<Line> condition) {
        Await.until(
                id + " goes on", Cluster.LIMIT, () -> timeline.first(condition).isPresent());
        return timeline.first(condition).orElseThrow();
    }

    /** Leaves no process behind. */
    @Override
    public void close() {
        processes.values().forEach(MemberProcess::destroy);
    }
}
