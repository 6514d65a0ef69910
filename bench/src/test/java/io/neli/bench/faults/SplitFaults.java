package io.neli.bench.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.neli.cluster.Await;
import io.neli.harness.Link;

/** Separates brokers from each other, and does what an administrator does then. */
final class SplitFaults {

    private static final Duration MISSED_LIMIT = Duration.ofSeconds(60);

    /** How long the split lasts after the log is replaced: if two sides can ever lead, they do it within this time. */
    private static final double LEASES_WITH_NEW_LOG = 10;

    private final Scene scene;
    private final BrokerCluster brokers;

    SplitFaults(Scene scene) {
        this.scene = scene;
        this.brokers = scene.brokers();
    }

    /** Begins the fault. The returned action ends it. */
    Runnable begin(Fault fault, Targets targets) {
        switch (fault.kind()) {
            case BROKER_SPLIT_OFF ->
                brokers.splitOff(
                        withLogs(fault, targets).subList(0, fault.target() == FaultKind.Target.TWO_LOGS ? 2 : 1));
            case BROKERS_SPLIT -> brokers.splitAll();
            case LOG_REPLACED -> replaceLog(fault, targets);
            default -> throw new IllegalArgumentException(fault.toString());
        }
        return () -> {
            brokers.join();
            Scene.NAMES.forEach(name -> brokers.links(name).forEach(Link::pass));
        };
    }

    /** The brokers with logs, except the controller, in an order that depends on the fault. */
    private static List<Integer> withLogs(Fault fault, Targets targets) {
        List<Integer> logs = new ArrayList<>(targets.logs());
        Collections.rotate(logs, fault.variant());
        logs.remove((Integer) targets.controller());
        return logs;
    }

    /**
     * Replaces a log as docs/operations.md says for a broker lost for good, although this one still serves a member.
     */
    private void replaceLog(Fault fault, Targets targets) {
        List<Integer> lost = withLogs(fault, targets).subList(0, 2);
        List<Integer> left =
                brokers.ids().stream().filter(id -> !lost.contains(id)).toList();
        String topic = scene.topics().get(targets.logs().indexOf(lost.get(0)));
        brokers.splitOff(lost);
        for (String name : Scene.NAMES) {
            List<Integer> unreachable = name.equals(targets.member(fault)) ? left : lost;
            unreachable.forEach(id -> brokers.link(name, id).refuse());
        }
        Await.until("the controller misses " + lost, MISSED_LIMIT, () -> isMissedBy(left));
        int free = left.stream()
                .filter(id -> !targets.logs().contains(id))
                .findFirst()
                .orElseThrow();
        try (ClusterView view = new ClusterView(brokers, left)) {
            LogFaults.tryTo(() -> view.deleteTopic(topic));
            LogFaults.tryTo(() -> view.createLog(topic, free)); // members create it only if three brokers run
        }
        Await.elapsed(scene.leases(LEASES_WITH_NEW_LOG));
    }

    /** Uses a new client, because one that knows the other brokers might ask those. */
    private boolean isMissedBy(List<Integer> left) {
        try (ClusterView view = new ClusterView(brokers, left)) {
            return view.isAlone();
        }
    }
}
