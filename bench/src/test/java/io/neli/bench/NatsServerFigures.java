package io.neli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.neli.LeaderEvent.LeaderFenced;
import io.neli.Neli;
import io.neli.TestServers;
import io.neli.cluster.Await;
import io.neli.nats.NatsCluster;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long nobody leads after one of three NATS servers crashes; {@code bench/figures nats-servers [runs
 * [leases in s]...]}.
 */
final class NatsServerFigures {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private NatsServerFigures() {}

    public static void main(String[] args) {
        int runs = args.length == 0 ? 4 : Integer.parseInt(args[0]);
        List<Integer> leases = args.length < 2
                ? List.of(3, 8, 15)
                : Stream.of(args).skip(1).map(Integer::valueOf).toList();
        Map<String, List<Figure>> table = new LinkedHashMap<>();
        for (int lease : leases) {
            try (NatsCluster cluster = NatsCluster.start(3)) {
                new Measurement(cluster, Duration.ofSeconds(lease)).run(runs, table);
            }
        }
        System.out.println();
        System.out.println(Figure.header());
        table.values().forEach(figures -> figures.forEach(System.out::println));
    }

    /** What the crashing server does besides having a replica. */
    private enum Role {
        LEADS_THE_STREAM,
        LEADS_THE_SERVERS,
        LEADS_NEITHER
    }

    /** Three members on three servers, of which one crashes again and again. */
    private static final class Measurement {

        private final NatsCluster cluster;
        private final Duration lease;
        private final String group;
        private final List<Neli> members = new ArrayList<>();
        private final AtomicInteger fences = new AtomicInteger();

        Measurement(NatsCluster cluster, Duration lease) {
            this.cluster = cluster;
            this.lease = lease;
            this.group = TestServers.unusedName("crash");
        }

        void run(int runs, Map<String, List<Figure>> table) {
            for (String name : List.of("a", "b", "c")) {
                Neli member = TestServers.get()
                        .builder(cluster.urls())
                        .groupId(group)
                        .name(name)
                        .leaseDuration(lease)
                        .heartbeatInterval(lease.dividedBy(6))
                        .handoverTimeout(LIMIT)
                        .listener(event -> {
                            if (event instanceof LeaderFenced) {
                                fences.incrementAndGet();
                            }
                        })
                        .build();
                member.start();
                members.add(member);
            }
            for (int run = 0; run < runs; run++) {
                for (Role role : Role.values()) {
                    awaitQuiet();
                    String crashed = serverOf(role);
                    if (crashed == null) {
                        continue;
                    }
                    String what = "lease " + lease.toSeconds() + " s: " + role;
                    List<Figure> figures = table.computeIfAbsent(
                            what,
                            key -> List.of(
                                    new Figure(what + ", nobody leads", "ms", Double.NaN, Double.NaN),
                                    new Figure(what + ", fenced", "times", Double.NaN, Double.NaN)));
                    int before = fences.get();
                    figures.get(0).addNanos(crash(crashed));
                    figures.get(1).add(fences.get() - before);
                }
            }
            members.forEach(Neli::close);
        }

        /** The server that has only this role; null if there is none. */
        private @Nullable String serverOf(Role role) {
            String stream = cluster.stream(group).getClusterInfo().getLeader();
            String servers = cluster.leader().orElseThrow();
            return switch (role) {
                case LEADS_THE_STREAM -> stream;
                case LEADS_THE_SERVERS -> servers.equals(stream) ? null : servers;
                case LEADS_NEITHER ->
                    cluster.names().stream()
                            .filter(name -> !name.equals(stream) && !name.equals(servers))
                            .findFirst()
                            .orElseThrow();
            };
        }

        private void awaitQuiet() {
            cluster.awaitComplete(group);
            Await.until(
                    "all are well",
                    LIMIT,
                    () -> members.stream()
                                    .allMatch(member ->
                                            member.snapshot().problem().isEmpty()
                                                    && member.snapshot().groupMembers() == members.size())
                            && leads());
            Await.elapsed(lease);
        }

        private boolean leads() {
            return members.stream().anyMatch(member -> member.isLeader());
        }

        /** Kills the server, and starts it again 20 s later. Returns how long nobody led meanwhile. */
        private long crash(String server) {
            cluster.server(server).kill();
            long begun = System.nanoTime();
            long last = begun;
            long without = 0;
            while (last - begun < Duration.ofSeconds(20).toNanos() || !leads()) {
                LockSupport.parkNanos(500_000);
                long now = System.nanoTime();
                if (!leads()) {
                    without += now - last;
                }
                last = now;
            }
            cluster.server(server).restart();
            return without;
        }
    }
}
