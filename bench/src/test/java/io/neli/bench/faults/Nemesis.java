package io.neli.bench.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import io.neli.cluster.Await;

/** Carries out the schedule. */
final class Nemesis {

    private final Scene scene;

    Nemesis(Scene scene) {
        this.scene = scene;
    }

    /** Why the fault is impossible on this machine; empty if it is possible. */
    Optional<String> obstacle(Fault fault) {
        return switch (fault.kind()) {
            case DISK_FULL ->
                scene.brokers().disk(1).canBeFilled()
                        ? Optional.empty()
                        : Optional.of("no file system of its own could be mounted for a broker: that needs root");
            case CLOCK_BACK, CLOCK_FORWARD ->
                scene.clock(Scene.NAMES.get(0)).isPresent()
                        ? Optional.empty()
                        : Optional.of("libfaketime is not installed: apt-get install faketime");
            default -> Optional.empty();
        };
    }

    private record Step(double at, Runnable action) {}

    /** Begins and ends all faults. */
    void run(List<Fault> faults, Targets targets) {
        List<Runnable> healings = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (Fault fault : faults) {
            healings.add(() -> {});
            int place = healings.size() - 1;
            steps.add(new Step(fault.delay(), () -> healings.set(place, begin(fault, targets))));
            // A fault of unknown duration is awaited after all others are over.
            double end = fault.kind().isRolling() ? Double.MAX_VALUE : fault.end();
            if (faults.size() == 1 && fault.leavesMajority(scene.arrangement())) {
                steps.add(new Step(end, () -> scene.awaitLeaderMeanwhile(fault, FaultSuite.BOUND)));
            }
            steps.add(new Step(end, () -> healings.get(place).run()));
        }
        steps.sort(Comparator.comparingDouble(Step::at));
        long start = System.nanoTime();
        for (Step step : steps) {
            if (step.at() < Double.MAX_VALUE) {
                awaitLeases(step.at(), start);
            }
            step.action().run();
        }
    }

    private void awaitLeases(double leases, long start) {
        long left = scene.leases(leases).toNanos() - (System.nanoTime() - start);
        if (left > 0) {
            Await.elapsed(Duration.ofNanos(left));
        }
    }

    /** Begins the fault. The returned action ends it. */
    private Runnable begin(Fault fault, Targets targets) {
        return switch (fault.kind()) {
            case MEMBER_KILLED, MEMBER_TERMINATED, MEMBER_FROZEN, CLOCK_FORWARD, CLOCK_BACK, MEMBERS_ROLLED ->
                new MemberFaults(scene).begin(fault, targets);
            case BROKER_KILLED, BROKER_TERMINATED, BROKER_FROZEN, BROKER_CUT_OFF, DISK_FULL, BROKERS_ROLLED ->
                new BrokerFaults(scene).begin(fault, targets);
            case RETENTION, TOPIC_DELETED -> new LogFaults(scene).begin(fault, targets);
            case BROKER_SPLIT_OFF, BROKERS_SPLIT, LOG_REPLACED -> new SplitFaults(scene).begin(fault, targets);
            default -> new LinkFaults(scene).begin(fault, targets);
        };
    }
}
