package io.neli.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.neli.cluster.Cluster;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs faults on one cluster of brokers, in rounds with one group of members each, and checks the results. */
public final class FaultSuite implements AutoCloseable {

    private static final int HEARTBEATS_PER_LEASE = 5;

    /**
     * Somebody leads within this time after the last fault. If all brokers were killed, they first elect a controller.
     */
    static final Duration BOUND = Duration.ofSeconds(30);

    /** With Kafka's default, 9 s, a killed broker could not come back sooner. */
    static final Map<String, String> BROKER_SETTINGS =
            Map.of("broker.session.timeout.ms", "3000", "broker.heartbeat.interval.ms", "500");

    private static final Duration SETTLING = Duration.ofMinutes(2);

    private final Arrangement arrangement;
    private final BrokerCluster brokers;
    private final Consumer<Outcome> outcomes;

    FaultSuite(Arrangement arrangement, Consumer<Outcome> outcomes) {
        this.arrangement = arrangement;
        this.outcomes = outcomes;
        this.brokers = arrangement == Arrangement.SPLIT
                ? BrokerCluster.startSplittable(Scene.NAMES, BROKER_SETTINGS)
                : BrokerCluster.start(Scene.NAMES, BROKER_SETTINGS);
    }

    /** Faults that begin together, and the seed that identifies them. */
    record Attack(long seed, List<Fault> faults) {}

    /** Runs these faults on one group until something is wrong. Returns how many were done. */
    int round(List<Attack> attacks) {
        try (Scene scene = new Scene(
                arrangement, brokers, arrangement.lease(), arrangement.lease().dividedBy(HEARTBEATS_PER_LEASE))) {
            Growth growth = new Growth();
            Scene.NAMES.forEach(scene::startIfMissing);
            scene.group().startMissing();
            scene.awaitSteady(SETTLING);
            int done = 0;
            OutcomeOfOne last = null;
            while (done < attacks.size() && (last == null || last.isClean())) {
                scene.view().awaitWhole(scene.topics());
                growth.add(scene.usage());
                last = new OutcomeOfOne(attacks.get(done));
                last.attack(scene);
                outcomes.accept(last.outcome(scene));
                done++;
            }
            boolean steady = last == null || last.isRecovered();
            if (steady) {
                growth.add(scene.usage());
            }
            scene.group().endProcesses();
            outcomes.accept(end(scene, growth, last));
            return done;
        }
    }

    /** Checks what is known only when all processes have ended. */
    private Outcome end(Scene scene, Growth growth, @Nullable OutcomeOfOne last) {
        boolean relaxed = last != null && last.isRelaxed();
        Cluster group = scene.group();
        List<Line> lines = group.timeline().all();
        List<Violation> found = new java.util.ArrayList<>(
                Checker.atTheEnd(lines, group.counted(), scene.register().decisions()));
        growth.violations().forEach(text -> found.add(new Violation(Violation.Kind.LEAK, text)));
        if (last != null) {
            found.removeIf(last::hasReported);
        }
        group.writeDown();
        return new Outcome(
                0,
                arrangement.toString(),
                List.of(),
                group.group(),
                "",
                0,
                0,
                0,
                List.of(),
                0,
                lines.stream().filter(line -> line.kind() == Kind.BUMPED).count(),
                scene.register().decisions().size(),
                Writes.countStale(scene.register().decisions()),
                lines.stream()
                        .filter(line -> line.kind() == Kind.BUMPED && line.flag("late"))
                        .count(),
                growth.most("threads"),
                growth.most("descriptors"),
                growth.most("heap"),
                relaxed ? List.of() : found,
                relaxed ? found : List.of());
    }

    /** One attack while it runs. */
    private final class OutcomeOfOne {

        private final Attack attack;
        private final List<Violation> violations = new java.util.ArrayList<>();
        private final long begun = System.nanoTime();
        private String obstacle = "";
        private long healed = begun;
        private long recovered = begun;

        OutcomeOfOne(Attack attack) {
            this.attack = attack;
        }

        void attack(Scene scene) {
            Nemesis nemesis = new Nemesis(scene);
            List<Fault> possible = attack.faults().stream()
                    .filter(fault -> nemesis.obstacle(fault).isEmpty())
                    .toList();
            attack.faults().forEach(fault -> nemesis.obstacle(fault).ifPresent(text -> obstacle = text));
            try {
                nemesis.run(possible, Targets.of(scene));
                scene.heal();
                healed = System.nanoTime();
                scene.awaitLeader(BOUND);
                recovered = System.nanoTime();
                scene.awaitSteady(SETTLING);
            } catch (ConditionTimeoutException e) {
                violations.add(new Violation(Violation.Kind.NO_RECOVERY, e.getMessage()));
                scene.heal(); // for the next round
            }
            scene.group().latest().stream()
                    .filter(MemberProcess::hasDied)
                    .forEach(member ->
                            violations.add(new Violation(Violation.Kind.DIED, member.label() + " has ended")));
            violations.addAll(Checker.soFar(scene.group().timeline().all()));
        }

        boolean isRecovered() {
            return violations.stream()
                    .noneMatch(violation ->
                            violation.kind() == Violation.Kind.NO_RECOVERY || violation.kind() == Violation.Kind.DIED);
        }

        boolean isClean() {
            return violations.isEmpty();
        }

        /** Whether a violation of this kind was reported; it may have grown since. */
        boolean hasReported(Violation other) {
            return violations.stream().anyMatch(violation -> violation.kind() == other.kind());
        }

        boolean isRelaxed() {
            return arrangement.relaxesTopicDeletion()
                    && isRecovered()
                    && !violations.isEmpty()
                    && attack.faults().stream().anyMatch(fault -> fault.kind() == FaultKind.TOPIC_DELETED);
        }

        Outcome outcome(Scene scene) {
            List<Line> lines = scene.group().timeline().all();
            List<Double> failovers = Failovers.after(begun, "default", lines);
            return new Outcome(
                    attack.seed(),
                    arrangement.toString(),
                    attack.faults().stream().map(Fault::name).toList(),
                    attack.faults().toString(),
                    obstacle,
                    (System.nanoTime() - begun) / 1_000_000,
                    count(lines, Kind.ACQUIRED),
                    count(lines, Kind.FENCED),
                    failovers,
                    (recovered - healed) / 1e6,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    isRelaxed() ? List.of() : violations,
                    isRelaxed() ? violations : List.of());
        }

        private int count(List<Line> lines, Kind kind) {
            return (int) lines.stream()
                    .filter(line -> line.kind() == kind && line.nanos() > begun)
                    .count();
        }
    }

    @Override
    public void close() {
        brokers.close();
    }
}
