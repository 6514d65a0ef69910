package io.neli.bench.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.neli.bench.Figure;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Cluster;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;
import io.neli.harness.Link;

/** Measures what faults of brokers cost a leader, with the brokers' default settings. */
public final class BrokerFigures {

    private static final List<Duration> LEASES = List.of(Duration.ofMillis(500), Duration.ofSeconds(3));
    private static final int HEARTBEATS_PER_LEASE = 5;
    private static final Duration LONGEST_HEARTBEAT = Duration.ofMillis(500);
    private static final int FROZEN_LEASES = 3;
    private static final double MOST_LEASES_TO_TAKEOVER = 1.05;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Arrangement arrangement;
    private final int runs;
    private final List<Figure> figures = new ArrayList<>();

    public BrokerFigures(Arrangement arrangement, int runs) {
        this.arrangement = arrangement;
        this.runs = runs;
    }

    public List<Figure> measure() {
        try (BrokerCluster brokers = BrokerCluster.start(Scene.NAMES, Map.of())) {
            for (Duration lease : LEASES) {
                Duration heartbeat = lease.dividedBy(HEARTBEATS_PER_LEASE);
                if (heartbeat.compareTo(LONGEST_HEARTBEAT) > 0) {
                    heartbeat = LONGEST_HEARTBEAT;
                }
                try (Scene scene = new Scene(arrangement, brokers, lease, heartbeat)) {
                    Scene.NAMES.forEach(scene::startIfMissing);
                    scene.group().startMissing();
                    measure(scene);
                }
            }
        }
        return figures;
    }

    private void measure(Scene scene) {
        Duration outage = scene.leases(FROZEN_LEASES);
        fences(scene, "a broker killed", (leader, broker) -> {
            broker.process().kill();
            Await.elapsed(outage);
        });
        fences(scene, "a broker frozen for " + FROZEN_LEASES + " leases", (leader, broker) -> {
            broker.process().stop();
            Await.elapsed(outage);
        });
        fences(scene, "a broker cut off from the leader", (leader, broker) -> {
            scene.brokers().link(leader.name(), broker.id()).refuse();
            Await.elapsed(outage);
        });
        fences(scene, "a broker cut off from all members", (leader, broker) -> {
            scene.brokers().linksTo(broker.id()).forEach(Link::refuse);
            Await.elapsed(outage);
        });
        fences(scene, "a broker stopped gracefully", (leader, broker) -> broker.process()
                .terminate());
        fences(scene, "a topic deleted, and created again by the members", (leader, broker) -> {
            scene.view()
                    .deleteTopic(scene.topics().get(broker.id() % scene.topics().size()));
            Await.elapsed(outage);
        });
        takeoverWithoutBroker(scene);
        handover(scene, false);
        handover(scene, true);
        twoDown(scene);
        oneByOne(scene);
        allAtOnce(scene);
    }

    private record Broker(int id, BrokerProcess process) {}

    private interface BrokerFault {
        void happen(MemberProcess leader, Broker broker);
    }

    private Figure figure(Scene scene, String what, String unit, double median, double max) {
        Figure figure = new Figure(
                arrangement + ", lease " + scene.group().lease().toMillis() + " ms: " + what, unit, median, max);
        figures.add(figure);
        return figure;
    }

    private static Broker broker(Scene scene, int run) {
        List<Integer> ids = scene.brokers().ids();
        int id = ids.get(run % ids.size());
        return new Broker(id, scene.brokers().broker(id));
    }

    /** Waits until all is well, and returns the leader. */
    private static MemberProcess settle(Scene scene) {
        scene.heal();
        MemberProcess leader = scene.awaitSteady(PATIENCE);
        scene.view().awaitWhole(scene.topics());
        return leader;
    }

    /** Counts how often leadership ended, from the fault until all is well again. */
    private void fences(Scene scene, String what, BrokerFault fault) {
        Figure figure = figure(scene, what, "terms ended", 0, 0);
        for (int run = 0; run < runs; run++) {
            MemberProcess leader = settle(scene);
            long begun = System.nanoTime();
            fault.happen(leader, broker(scene, run));
            settle(scene);
            figure.add(scene.group().timeline().notable().stream()
                    .filter(line -> line.nanos() > begun)
                    .filter(line -> line.kind() == Kind.FENCED || line.kind() == Kind.REVOKED)
                    .count());
        }
    }

    /** Kills a broker and, once somebody leads, that leader. */
    private void takeoverWithoutBroker(Scene scene) {
        double most = MOST_LEASES_TO_TAKEOVER * scene.group().lease().toMillis();
        Figure figure = figure(scene, "SIGKILL to LeaderAcquired while a broker is down", "ms", most, most);
        for (int run = 0; run < runs; run++) {
            settle(scene);
            broker(scene, run).process().kill();
            MemberProcess leader = leaderAfterAWhile(scene);
            long killed = leader.kill();
            figure.addNanos(acquired(scene, leader, killed).nanos() - killed);
        }
        settle(scene);
    }

    private void handover(Scene scene, boolean brokerDown) {
        String when = brokerDown ? "while a broker is down" : "while all brokers run";
        Figure figure = figure(scene, "SIGTERM to LeaderAcquired " + when, "ms", Double.NaN, Double.NaN);
        for (int run = 0; run < runs; run++) {
            MemberProcess leader = settle(scene);
            if (brokerDown) {
                broker(scene, run).process().kill();
                leader = leaderAfterAWhile(scene);
            }
            long terminated = leader.terminate();
            figure.addNanos(acquired(scene, leader, terminated).nanos() - terminated);
        }
        settle(scene);
    }

    /**
     * Measures from the loss of the second broker to the fence, and from the first answer of one to the next leader.
     */
    private void twoDown(Scene scene) {
        double lease = scene.group().lease().toMillis();
        Figure fence = figure(scene, "two brokers killed: to LeaderFenced", "ms", lease, lease);
        Figure again = figure(scene, "one of the two is back: to LeaderAcquired", "ms", Double.NaN, Double.NaN);
        for (int run = 0; run < runs; run++) {
            MemberProcess leader = settle(scene);
            BrokerProcess first = broker(scene, run).process();
            long killed = System.nanoTime();
            first.kill();
            broker(scene, run + 1).process().kill();
            Line fenced = scene.group().await(leader, Kind.FENCED, killed);
            fence.addNanos(fenced.nanos() - killed);
            first.restart();
            long back = System.nanoTime();
            scene.awaitLeader(PATIENCE);
            again.addNanos(Math.max(0, leadingSince(scene) - back));
        }
        settle(scene);
    }

    /** A rolling restart as docs/quorum.md advises. */
    private void oneByOne(Scene scene) {
        Figure wait = figure(scene, "a broker answers again: until all logs are held", "ms", Double.NaN, Double.NaN);
        fences(scene, "brokers restarted one by one, when all logs are held", (leader, broker) -> {
            for (int id : scene.brokers().ids()) {
                BrokerProcess each = scene.brokers().broker(id);
                each.terminate();
                each.restart();
                long back = System.nanoTime();
                Await.until("all logs are held", PATIENCE, scene::areAllLogsHeld);
                wait.addNanos(System.nanoTime() - back);
                scene.view().awaitWhole(scene.topics());
            }
        });
    }

    private void allAtOnce(Scene scene) {
        double twoLeases = 2.0 * scene.group().lease().toMillis();
        Figure again = figure(scene, "all brokers killed, two are back: to LeaderAcquired", "ms", twoLeases, twoLeases);
        for (int run = 0; run < runs; run++) {
            MemberProcess leader = settle(scene);
            long killed = System.nanoTime();
            scene.brokers().ids().forEach(id -> scene.brokers().broker(id).kill());
            scene.group().await(leader, Kind.FENCED, killed);
            List<BrokerProcess> two =
                    List.of(broker(scene, run).process(), broker(scene, run + 1).process());
            two.forEach(BrokerProcess::launch);
            two.forEach(BrokerProcess::awaitAnswer);
            long back = System.nanoTime();
            scene.awaitLeader(PATIENCE);
            again.addNanos(Math.max(0, leadingSince(scene) - back));
        }
        settle(scene);
    }

    private static long leadingSince(Scene scene) {
        return scene.group()
                .timeline()
                .last(line -> line.kind() == Kind.LEADS)
                .orElseThrow()
                .nanos();
    }

    /** Waits for a leader that has led for two leases. */
    private static MemberProcess leaderAfterAWhile(Scene scene) {
        Cluster group = scene.group();
        while (true) {
            scene.awaitLeader(PATIENCE);
            MemberProcess leader = group.awaitLeader();
            long since = System.nanoTime();
            Await.elapsed(scene.leases(2));
            if (leader.leads() && group.eventsAfter(since).isEmpty()) {
                return leader;
            }
        }
    }

    private static Line acquired(Scene scene, MemberProcess former, long afterNanos) {
        Await.until("the next leader", PATIENCE, () -> scene.group()
                .timeline()
                .first(line -> follows(line, former, afterNanos))
                .isPresent());
        return scene.group()
                .timeline()
                .first(line -> follows(line, former, afterNanos))
                .orElseThrow();
    }

    private static boolean follows(Line line, MemberProcess former, long afterNanos) {
        return line.kind() == Kind.ACQUIRED && line.nanos() > afterNanos && !former.isFrom(line);
    }
}
