package io.neli.bench.faults;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.neli.cluster.Await;
import io.neli.cluster.Cluster;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;

/** A group of three members on the brokers, and everything about them that faults can change. */
public final class Scene implements AutoCloseable {

    public static final List<String> NAMES = List.of("a", "b", "c");

    private static final Duration PAUSE_BETWEEN_BUMPS = Duration.ofMillis(20);

    /** A leader that takes over and soon fails again leads for less. */
    private static final double LEASES_OF_A_LASTING_LEADER = 2;

    private final Arrangement arrangement;
    private final BrokerCluster brokers;
    private final ClusterView view;
    private final Register register = new Register();
    private final Map<String, WallClock> clocks = new TreeMap<>();
    private final Cluster group;

    Scene(Arrangement arrangement, BrokerCluster brokers, Duration lease, Duration heartbeat) {
        this.arrangement = arrangement;
        this.brokers = brokers;
        this.view = new ClusterView(brokers, brokers.ids());
        Map<String, String> servers = new HashMap<>();
        Map<String, Map<String, String>> environments = new HashMap<>();
        for (String name : NAMES) {
            servers.put(name, brokers.addressesOf(name));
            WallClock.of(brokers.directory(), name).ifPresent(clock -> {
                clocks.put(name, clock);
                environments.put(name, clock.environment());
            });
        }
        List<String> options = new java.util.ArrayList<>(arrangement.options());
        options.add("register=" + register.port());
        options.add("bumps=" + PAUSE_BETWEEN_BUMPS.toMillis());
        this.group = new Cluster(brokers.directory(), "faults", lease, heartbeat, servers)
                .with(options.toArray(String[]::new))
                .withEnvironments(environments);
    }

    Arrangement arrangement() {
        return arrangement;
    }

    BrokerCluster brokers() {
        return brokers;
    }

    ClusterView view() {
        return view;
    }

    Register register() {
        return register;
    }

    Cluster group() {
        return group;
    }

    List<String> topics() {
        return arrangement.topics(group.group());
    }

    Duration leases(double leases) {
        return Duration.ofNanos((long) (group.lease().toNanos() * leases));
    }

    Optional<WallClock> clock(String member) {
        return Optional.ofNullable(clocks.get(member));
    }

    /** Ends all faults that still last. */
    void heal() {
        clocks.values().forEach(clock -> clock.step(Duration.ZERO));
        for (MemberProcess member : group.alive()) {
            if (member.isStopped()) {
                member.resume();
            }
        }
        brokers.heal();
        NAMES.forEach(this::startIfMissing);
    }

    /** Starts the member unless it runs. Does not restart one that ended by itself. */
    void startIfMissing(String name) {
        MemberProcess latest = latest(name);
        if (latest == null || (!latest.isAlive() && !latest.hasDied())) {
            if (latest != null) {
                latest.awaitEnd(Cluster.LIMIT);
            }
            WallClock.tidy();
            group.start(name);
        }
    }

    private MemberProcess latest(String name) {
        return group.latest().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Waits, during a fault, until somebody has led for a while. A leader that is stopped does not count. */
    void awaitLeaderMeanwhile(Fault fault, Duration bound) {
        Await.until("a leader of " + group.group() + " during " + fault, bound, () -> group.alive().stream()
                .anyMatch(member -> !member.isStopped() && member.leads() && hasLedForAWhile(member)));
    }

    private boolean hasLedForAWhile(MemberProcess member) {
        long since = System.nanoTime() - leases(LEASES_OF_A_LASTING_LEADER).toNanos();
        return group.timeline()
                .last(line -> member.isFrom(line) && line.kind() == Kind.LEADS)
                .filter(line -> line.nanos() < since)
                .isPresent();
    }

    /** Waits until somebody leads; returns immediately if somebody does. */
    void awaitLeader(Duration bound) {
        Await.until("a leader of " + group.group(), bound, () -> group.leader().isPresent());
    }

    /** Waits until all members run and agree on a leader that holds all logs, and then nothing happens for a lease. */
    MemberProcess awaitSteady(Duration bound) {
        long until = System.nanoTime() + bound.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(1, until - System.nanoTime()));
            Await.until("agreement of " + group.group(), left, this::isAgreed);
            long since = System.nanoTime();
            Await.elapsed(group.lease());
            Optional<MemberProcess> leader = group.leader();
            if (leader.isPresent() && isAgreed() && group.eventsAfter(since).isEmpty()) {
                return leader.get();
            }
        }
    }

    private boolean isAgreed() {
        Optional<MemberProcess> leader = group.leader();
        return leader.isPresent()
                && areAllLogsHeld()
                && group.alive().size() == NAMES.size()
                && group.alive().stream()
                        .allMatch(member -> member.state("status").equals("RUNNING")
                                && member.state("eligible").equals("true")
                                && member.state("leader").equals(leader.get().name()));
    }

    /** Whether the leader holds all logs. Before that, a lost log does not count again, so no other one may be lost. */
    boolean areAllLogsHeld() {
        String all = Integer.toString(topics().size());
        return group.leader().stream().anyMatch(leader -> leader.state("held").equals(all));
    }

    /** The resources that each member uses at this moment. */
    Map<String, Line> usage() {
        long asked = System.nanoTime();
        Map<String, Line> usage = new TreeMap<>();
        for (MemberProcess member : group.alive()) {
            member.say("usage");
            usage.put(member.label(), group.await(member, Kind.USAGE, asked));
        }
        return usage;
    }

    /** Leaves no process and no topic behind. */
    @Override
    public void close() {
        group.close();
        group.latest().forEach(member -> member.awaitEnd(Cluster.LIMIT));
        WallClock.tidy();
        register.close();
        view.tidy(topics());
        view.close();
    }
}
