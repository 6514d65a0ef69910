package io.neli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.TestServers;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.Report;
import org.slf4j.LoggerFactory;

/**
 * One or more members in a JVM that do no work, so that only the election is measured. {@code stop} on standard input
 * closes them, {@code start} starts them again. Ends gracefully on SIGTERM.
 */
public final class QuietMemberMain {

    private static final Duration PAUSE_BETWEEN_SNAPSHOTS = Duration.ofMillis(5);

    private final Report report = new Report();
    private final List<Neli> members = new ArrayList<>();

    private QuietMemberMain(
            String servers,
            String group,
            Duration lease,
            Duration heartbeat,
            int partitions,
            int roles,
            String[] names) {
        List<String> listed =
                IntStream.range(0, roles).mapToObj(QuietMemberMain::role).toList();
        for (String name : names) {
            members.add(TestServers.get()
                    .builder(servers)
                    .groupId(group)
                    .name(name)
                    .leaseDuration(lease)
                    .heartbeatInterval(heartbeat)
                    .partitions(partitions)
                    .roles(listed)
                    .listener(event -> onEvent(name, event))
                    .build());
        }
    }

    public static void main(String[] args) {
        new QuietMemberMain(
                        args[0],
                        args[1],
                        Duration.ofMillis(Long.parseLong(args[2])),
                        Duration.ofMillis(Long.parseLong(args[3])),
                        Integer.parseInt(args[4]),
                        Integer.parseInt(args[5]),
                        args[6].split(","))
                .run();
    }

    static String role(int place) {
        return "role-" + place;
    }

    private void run() {
        // Initialize logging first, as in any application.
        LoggerFactory.getLogger(QuietMemberMain.class).info("{} member(s)", members.size());
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close"));
        start();
        Thread snapshots = new Thread(this::reportSnapshots, "snapshots");
        snapshots.setDaemon(true);
        snapshots.start();
        try (Scanner commands = new Scanner(System.in)) {
            while (commands.hasNext()) {
                if (commands.next().equals("stop")) {
                    members.parallelStream().forEach(Neli::close);
                } else {
                    start();
                }
            }
        }
        Runtime.getRuntime().halt(1); // the measuring process has ended
    }

    private void start() {
        report.write(System.nanoTime(), Kind.STARTING, "");
        members.forEach(Neli::start);
    }

    private void close() {
        members.forEach(Neli::close);
        report.write(System.nanoTime(), Kind.CLOSED, "");
    }

    private void onEvent(String name, LeaderEvent event) {
        long now = System.nanoTime();
        String term = "role=" + event.role() + " member=" + name + " token=" + event.token();
        if (event instanceof LeaderAcquired) {
            report.write(now, Kind.ACQUIRED, term);
        } else if (event instanceof LeaderRevoked) {
            report.write(now, Kind.REVOKED, term);
        }
    }

    private void reportSnapshots() {
        String before = "";
        while (true) {
            long asked = System.nanoTime();
            String now = describe();
            if (!now.equals(before)) {
                report.write(asked, Kind.STATE, now);
                before = now;
            }
            // Ask less often if there are more members, so that asking does not distort the measurement.
            LockSupport.parkNanos(PAUSE_BETWEEN_SNAPSHOTS.toNanos() * members.size());
        }
    }

    /** How many members are up, which partitions they lead, and how large the group of the first one is. */
    private String describe() {
        int up = 0;
        StringBuilder led = new StringBuilder();
        int group = 0;
        for (Neli member : members) {
            NeliSnapshot snapshot = member.snapshot();
            up += snapshot.status() == NeliSnapshot.Status.RUNNING ? 1 : 0;
            group = member == members.get(0) ? snapshot.groupMembers() : group;
            for (NeliSnapshot.Partition partition : snapshot.partitions()) {
                if (partition.state() == NeliSnapshot.Partition.State.LEADING) {
                    led.append(partition.partition()).append(',');
                }
            }
        }
        return "up=" + up + " led=" + led + " group=" + group;
    }
}
