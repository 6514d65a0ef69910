package io.neli.cluster;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.neli.LeaderAcquired;
import io.neli.LeaderEvent;
import io.neli.LeaderFenced;
import io.neli.LeaderRevoked;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.cluster.Line.Kind;

/**
 * A member as an application would be one, on the public API alone: it raises a counter while it leads, and writes down what
 * it is told and what it is answered. Ends in good order on SIGTERM.
 */
public final class MemberMain {

    private static final Duration PAUSE_BETWEEN_BUMPS = Duration.ofMillis(5);
    private static final Duration PAUSE_BETWEEN_SNAPSHOTS = Duration.ofMillis(20);

    /** A write that ends this long after the lease was asked for proves nothing. Less than another waits beyond a lease. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Report report = new Report();
    private final AtomicLong workMillis = new AtomicLong();
    private final long leaseNanos;
    private final Counter counter;
    private final Neli neli;

    private MemberMain(String servers, String group, String name, Duration lease, Duration heartbeat, File counter)
            throws IOException {
        this.leaseNanos = lease.toNanos();
        this.counter = new Counter(counter);
        this.neli = Neli.builder()
                .kafka(Map.of("bootstrap.servers", servers))
                .groupId(group)
                .name(name)
                .heartbeatTimeout(lease)
                .heartbeatInterval(heartbeat)
                .listener(this::onEvent)
                .build();
    }

    public static void main(String[] args) throws IOException {
        new MemberMain(
                        args[0],
                        args[1],
                        args[2],
                        Duration.ofMillis(Long.parseLong(args[3])),
                        Duration.ofMillis(Long.parseLong(args[4])),
                        new File(args[5]))
                .run();
    }

    private void run() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close"));
        neli.start();
        startThread("sampler", new Sampler(neli, report));
        startThread("worker", this::work);
        startThread("snapshots", this::reportSnapshots);
        try (Scanner commands = new Scanner(System.in)) {
            while (commands.hasNextLong()) {
                workMillis.set(commands.nextLong());
            }
        }
        Runtime.getRuntime().halt(1); // the test has gone
    }

    private static void startThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void close() {
        neli.close();
        report.write(System.nanoTime(), Kind.CLOSED);
    }

    private void onEvent(LeaderEvent event) {
        long now = System.nanoTime(); // before the question whether it leads, so that a true answer is not too late
        if (event instanceof LeaderAcquired acquired) {
            report.write(
                    now,
                    Kind.ACQUIRED,
                    "token",
                    acquired.token(),
                    "valid",
                    neli.isLeader(),
                    "group",
                    String.join(",", neli.snapshot().groupMembers()));
        } else if (event instanceof LeaderRevoked revoked) {
            report.write(now, Kind.REVOKED, "token", revoked.token(), "reason", revoked.reason());
        } else if (event instanceof LeaderFenced fenced) {
            report.write(now, Kind.FENCED, "token", fenced.token(), "reason", fenced.reason());
        }
    }

    private void work() {
        while (true) {
            Optional<LeaderWork> begun = neli.beginWork();
            if (begun.isPresent()) {
                try (LeaderWork work = begun.get()) {
                    long millis = workMillis.getAndSet(0);
                    if (millis > 0) {
                        workOn(millis, work.leadership().token());
                    } else {
                        bump(work.leadership().token());
                    }
                }
            }
            LockSupport.parkNanos(PAUSE_BETWEEN_BUMPS.toNanos());
        }
    }

    /** One piece of work that goes on for that long after this member has ceased to lead, unless a fence cuts it short. */
    private void workOn(long millis, long token) {
        report.write(System.nanoTime(), Kind.WORK_BEGUN, "token", token);
        long until = Long.MAX_VALUE;
        while (!Thread.interrupted() && System.nanoTime() < until) {
            if (until == Long.MAX_VALUE && !neli.isLeader()) {
                until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        report.write(System.nanoTime(), Kind.WORK_ENDED, "token", token);
    }

    private void bump(long token) {
        long asked = System.nanoTime();
        if (!neli.isLeader()) {
            return;
        }
        long value = counter.read() + 1;
        report.write(System.nanoTime(), Kind.BUMP, "token", token, "value", value);
        if (System.nanoTime() - asked > Math.min(leaseNanos / 10, LATE_NANOS)) {
            report.write(System.nanoTime(), Kind.NOT_BUMPED, "token", token, "value", value);
            return;
        }
        counter.write(value);
        long written = System.nanoTime();
        report.write(written, Kind.BUMPED, "token", token, "value", value, "late", written - asked > LATE_NANOS);
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
        NeliSnapshot.Partition partition = snapshot.partitions().isEmpty()
                ? new NeliSnapshot.Partition(0, "NONE", Optional.empty(), Optional.empty(), Optional.empty())
                : snapshot.partitions().get(0);
        return String.format(
                "status=%s state=%s leader=%s owner=%s standing=%s group=%s",
                snapshot.status(),
                partition.state(),
                partition.leader().orElse("-"),
                partition.groupOwner().orElse("-"),
                snapshot.standing(),
                String.join(",", snapshot.groupMembers()));
    }
}
