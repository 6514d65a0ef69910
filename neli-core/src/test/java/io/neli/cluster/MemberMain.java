package io.neli.cluster;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderWork;
import io.neli.Mode;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliSnapshot;
import io.neli.TestServers;
import io.neli.cluster.Line.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A member like that of an application, using only the public API. It increments a counter while it leads, and reports
 * what it is notified of and what it is answered. Ends gracefully on SIGTERM.
 */
public final class MemberMain {

    private static final Duration PAUSE_BETWEEN_SNAPSHOTS = Duration.ofMillis(20);

    /** A write this long after the lease was checked proves nothing. Less than others wait beyond a lease. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Report report = new Report();
    private final AtomicLong workMillis = new AtomicLong();
    private final AtomicLong lateMillis = new AtomicLong();
    private final Duration pauseBetweenBumps;
    private final long leaseNanos;
    private final Counter counter;
    private final Neli neli;
    private final List<String> roles;
    private final @Nullable FencedWriter writer;

    private MemberMain(
            String servers,
            String group,
            String name,
            Duration lease,
            Duration heartbeat,
            File counter,
            Map<String, String> options)
            throws IOException {
        this.leaseNanos = lease.toNanos();
        this.counter = new Counter(counter);
        List<String> named = listed(options.getOrDefault("roles", ""));
        this.roles = named.isEmpty() ? List.of(Neli.DEFAULT_ROLE) : named;
        NeliBuilder builder = TestServers.get()
                .builder(servers)
                .groupId(group)
                .name(name)
                .leaseDuration(lease)
                .heartbeatInterval(heartbeat)
                .roles(named)
                .quorum(Integer.parseInt(options.getOrDefault("quorum", "1")))
                .mode(Mode.valueOf(options.getOrDefault("mode", "EXCLUSIVE")))
                .candidate(Boolean.parseBoolean(options.getOrDefault("candidate", "true")))
                .handoverTimeout(Duration.ofMillis(Long.parseLong(options.getOrDefault("handover", "30000"))))
                .listener(this::onEvent);
        if (options.containsKey("partitions")) {
            builder.partitions(Integer.parseInt(options.get("partitions")));
        }
        if (options.containsKey("topic")) {
            builder.topic(options.get("topic"));
        }
        if (options.containsKey("limit")) {
            builder.workLimit(Duration.ofMillis(Long.parseLong(options.get("limit"))));
        }
        this.neli = builder.build();
        this.pauseBetweenBumps = Duration.ofMillis(Long.parseLong(options.getOrDefault("bumps", "5")));
        this.writer = options.containsKey("register")
                ? new FencedWriter(Integer.parseInt(options.get("register")), neli, report)
                : null;
    }

    private static List<String> listed(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    /**
     * Arguments: servers, group, name, lease and heartbeat in milliseconds, the counter; then options as {@code
     * key=value}.
     */
    public static void main(String[] args) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (String option : List.of(args).subList(6, args.length)) {
            int equals = option.indexOf('=');
            options.put(option.substring(0, equals), option.substring(equals + 1));
        }
        new MemberMain(
                        args[0],
                        args[1],
                        args[2],
                        Duration.ofMillis(Long.parseLong(args[3])),
                        Duration.ofMillis(Long.parseLong(args[4])),
                        new File(args[5]),
                        options)
                .run();
    }

    private void run() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close"));
        neli.start();
        List<Sampler> samplers =
                roles.stream().map(role -> new Sampler(neli, report, role)).toList();
        Register.startThread("sampler", () -> Sampler.run(samplers));
        Register.startThread("worker", this::work);
        Register.startThread("snapshots", this::reportSnapshots);
        try (Scanner commands = new Scanner(System.in)) {
            while (commands.hasNext()) {
                obey(commands.next(), commands);
            }
        }
        Runtime.getRuntime().halt(1); // the test has ended
    }

    private void obey(String command, Scanner rest) {
        switch (command) {
            case "work" -> workMillis.set(rest.nextLong());
            case "late" -> lateMillis.set(rest.nextLong());
            case "usage" -> reportUsage();
            default -> throw new IllegalArgumentException(command);
        }
    }

    /** The resources that this JVM uses after a garbage collection. */
    private void reportUsage() {
        System.gc();
        String[] descriptors = new File("/proc/self/fd").list();
        report.write(
                System.nanoTime(),
                Kind.USAGE,
                "threads",
                ManagementFactory.getThreadMXBean().getThreadCount(),
                "heap",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                "descriptors",
                descriptors == null ? 0 : descriptors.length);
    }

    private void close() {
        neli.close();
        report.write(System.nanoTime(), Kind.CLOSED);
    }

    private void onEvent(LeaderEvent event) {
        long now = System.nanoTime(); // taken before asking, so that a true answer is not dated too late
        if (event instanceof LeaderAcquired acquired) {
            report.write(
                    now,
                    Kind.ACQUIRED,
                    "role",
                    acquired.role(),
                    "token",
                    acquired.token(),
                    "valid",
                    neli.isLeader(acquired.role()),
                    "group",
                    neli.snapshot().groupMembers());
        } else if (event instanceof LeaderRevoked revoked) {
            report.write(
                    now, Kind.REVOKED, "role", revoked.role(), "token", revoked.token(), "reason", revoked.reason());
        } else if (event instanceof LeaderFenced fenced) {
            report.write(now, Kind.FENCED, "role", fenced.role(), "token", fenced.token(), "reason", fenced.reason());
        }
    }

    private void work() {
        while (true) {
            Optional<LeaderWork> begun = neli.beginWork();
            if (begun.isPresent()) {
                try (LeaderWork work = begun.get()) {
                    long millis = workMillis.getAndSet(0);
                    long late = lateMillis.getAndSet(0);
                    if (late > 0 && writer != null) {
                        writeLate(writer, late, work.leadership().token());
                    } else if (millis > 0) {
                        workOn(millis, work.leadership().token());
                    } else {
                        bump(work.leadership().token());
                    }
                }
            }
            LockSupport.parkNanos(pauseBetweenBumps.toNanos());
        }
    }

    /** Works until {@code millis} after this member ceases to lead, unless a fence interrupts it. */
    private void workOn(long millis, long token) {
        report.write(System.nanoTime(), Kind.WORK_BEGUN, "role", roles.get(0), "token", token);
        long until = Long.MAX_VALUE;
        while (!Thread.interrupted() && System.nanoTime() < until) {
            if (until == Long.MAX_VALUE && !neli.isLeader()) {
                until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        report.write(System.nanoTime(), Kind.WORK_ENDED, "role", roles.get(0), "token", token);
    }

    /** Reports the begin of a late write, so that the test can stop the process during it. */
    private void writeLate(FencedWriter late, long millis, long token) {
        report.write(System.nanoTime(), Kind.WORK_BEGUN, "role", roles.get(0), "token", token);
        late.writeLate(roles.get(0), token, Duration.ofMillis(millis));
        report.write(System.nanoTime(), Kind.WORK_ENDED, "role", roles.get(0), "token", token);
    }

    private void bump(long token) {
        long asked = System.nanoTime();
        if (!neli.isLeader()) {
            return;
        }
        long value = counter.read() + 1;
        report.write(System.nanoTime(), Kind.BUMP, "role", roles.get(0), "token", token, "value", value);
        if (System.nanoTime() - asked > Math.min(leaseNanos / 10, LATE_NANOS)) {
            report.write(System.nanoTime(), Kind.NOT_BUMPED, "role", roles.get(0), "token", token, "value", value);
            return;
        }
        counter.write(value);
        long written = System.nanoTime();
        report.write(
                written,
                Kind.BUMPED,
                "role",
                roles.get(0),
                "token",
                token,
                "value",
                value,
                "late",
                written - asked > LATE_NANOS);
        if (writer != null) {
            writer.write(roles.get(0), token);
        }
    }

    private void reportSnapshots() {
        String before = "";
        while (true) {
            NeliSnapshot snapshot = neli.snapshot();
            String now = describe(snapshot);
            if (!now.equals(before)) {
                report.write(System.nanoTime(), Kind.STATE, (Object[]) now.split("[= ]", -1));
                before = now;
            }
            LockSupport.parkNanos(PAUSE_BETWEEN_SNAPSHOTS.toNanos());
        }
    }

    private String describe(NeliSnapshot snapshot) {
        NeliSnapshot.Partition partition = snapshot.partitions().get(0);
        return String.format(
                "status=%s state=%s leader=%s owner=%s eligible=%s leaders=%s held=%s group=%s",
                snapshot.status(),
                partition.state(),
                partition.leader().orElse("-"),
                partition.groupOwner().orElse("-"),
                snapshot.eligible(),
                roles.stream()
                        .map(role ->
                                role + ":" + neli.leader(role).map(Leader::name).orElse("-"))
                        .collect(Collectors.joining(",")),
                partition.logs().stream().filter(NeliSnapshot.Log::held).count(),
                snapshot.groupMembers());
    }
}
