package io.neli.cluster;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private MemberMain(Map<String, String> options) throws IOException {
        Duration lease = millis(required(options, "lease"));
        this.leaseNanos = lease.toNanos();
        this.counter = new Counter(new File(required(options, "counter")));
        List<String> named =
                options.containsKey("roles") ? List.of(options.get("roles").split(",")) : List.of();
        this.roles = named.isEmpty() ? List.of(Neli.DEFAULT_ROLE) : named;
        NeliBuilder builder = TestServers.get()
                .builder(required(options, "servers"))
                .groupId(required(options, "group"))
                .name(required(options, "name"))
                .leaseDuration(lease)
                .heartbeatInterval(millis(required(options, "heartbeat")))
                .roles(named)
                .quorum(Integer.parseInt(options.getOrDefault("quorum", "1")))
                .mode(Mode.valueOf(options.getOrDefault("mode", "EXCLUSIVE")))
                .candidate(Boolean.parseBoolean(options.getOrDefault("candidate", "true")))
                .handoverTimeout(millis(options.getOrDefault("handover", "30000")))
                .listener(this::onEvent);
        Optional.ofNullable(options.get("partitions")).map(Integer::valueOf).ifPresent(builder::partitions);
        Optional.ofNullable(options.get("topic")).ifPresent(builder::topic);
        Optional.ofNullable(options.get("limit")).map(MemberMain::millis).ifPresent(builder::workLimit);
        this.neli = builder.build();
        this.pauseBetweenBumps = millis(options.getOrDefault("bumps", "5"));
        this.writer = options.containsKey("register")
                ? new FencedWriter(Integer.parseInt(options.get("register")), neli, report)
                : null;
    }

    private static String required(Map<String, String> options, String key) {
        return Objects.requireNonNull(options.get(key), key);
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }

    /** Each argument is {@code key=value}. All times are in milliseconds. */
    public static void main(String[] args) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (String option : args) {
            int equals = option.indexOf('=');
            options.put(option.substring(0, equals), option.substring(equals + 1));
        }
        new MemberMain(options).run();
    }

    private void run() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close"));
        neli.start();
        List<Sampler> samplers =
                roles.stream().map(role -> new Sampler(neli, report, role)).toList();
        startThread("sampler", () -> Sampler.run(samplers));
        startThread("worker", this::work);
        startThread("snapshots", this::reportSnapshots);
        try (Scanner commands = new Scanner(System.in)) {
            while (commands.hasNext()) {
                obey(commands.next(), commands);
            }
        }
        Runtime.getRuntime().halt(1); // the test has ended
    }

    private static void startThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
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
        int open = descriptors == null ? 0 : descriptors.length;
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        report.write(System.nanoTime(), Kind.USAGE, "threads=" + threads + " heap=" + heap + " descriptors=" + open);
    }

    private void close() {
        neli.close();
        report.write(System.nanoTime(), Kind.CLOSED, "");
    }

    private void onEvent(LeaderEvent event) {
        long now = System.nanoTime(); // taken before asking, so that a true answer is not dated too late
        String term = about(event.role(), event.token());
        if (event instanceof LeaderAcquired) {
            boolean valid = neli.isLeader(event.role());
            int members = neli.snapshot().groupMembers();
            report.write(now, Kind.ACQUIRED, term + " valid=" + valid + " group=" + members);
        } else if (event instanceof LeaderRevoked revoked) {
            report.write(now, Kind.REVOKED, term + " reason=" + revoked.reason());
        } else if (event instanceof LeaderFenced fenced) {
            report.write(now, Kind.FENCED, term + " reason=" + fenced.reason());
        }
    }

    private static String about(String role, long token) {
        return "role=" + role + " token=" + token;
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
        report.write(System.nanoTime(), Kind.WORK_BEGUN, about(roles.get(0), token));
        long until = Long.MAX_VALUE;
        while (!Thread.interrupted() && System.nanoTime() < until) {
            if (until == Long.MAX_VALUE && !neli.isLeader()) {
                until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        report.write(System.nanoTime(), Kind.WORK_ENDED, about(roles.get(0), token));
    }

    /** Reports the begin of a late write, so that the test can stop the process during it. */
    private void writeLate(FencedWriter late, long millis, long token) {
        report.write(System.nanoTime(), Kind.WORK_BEGUN, about(roles.get(0), token));
        late.writeLate(roles.get(0), token, Duration.ofMillis(millis));
        report.write(System.nanoTime(), Kind.WORK_ENDED, about(roles.get(0), token));
    }

    private void bump(long token) {
        long asked = System.nanoTime();
        if (!neli.isLeader()) {
            return;
        }
        long value = counter.read() + 1;
        report.write(System.nanoTime(), Kind.BUMP, about(roles.get(0), token) + " value=" + value);
        if (System.nanoTime() - asked > Math.min(leaseNanos / 10, LATE_NANOS)) {
            report.write(System.nanoTime(), Kind.NOT_BUMPED, about(roles.get(0), token) + " value=" + value);
            return;
        }
        counter.write(value);
        long written = System.nanoTime();
        boolean late = written - asked > LATE_NANOS;
        report.write(written, Kind.BUMPED, about(roles.get(0), token) + " value=" + value + " late=" + late);
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
                report.write(System.nanoTime(), Kind.STATE, now);
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
