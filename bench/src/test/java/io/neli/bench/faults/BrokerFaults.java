package io.neli.bench.faults;

import java.time.Duration;
import java.util.List;

import io.neli.cluster.BrokerProcess;
import io.neli.harness.Link;

/** Faults of brokers' processes, their disks, and the routes to them. */
final class BrokerFaults {

    /** A broker that does not end within this time after SIGTERM is killed, as an operator would do. */
    private static final Duration GRACE = Duration.ofSeconds(8);

    private final Scene scene;
    private final BrokerCluster brokers;

    BrokerFaults(Scene scene) {
        this.scene = scene;
        this.brokers = scene.brokers();
    }

    /** Begins the fault. The returned action ends it. */
    Runnable begin(Fault fault, Targets targets) {
        List<Integer> ids = targets.brokers(fault);
        List<BrokerProcess> hit = ids.stream().map(brokers::broker).toList();
        return switch (fault.kind()) {
            case BROKER_KILLED -> {
                hit.forEach(BrokerProcess::kill);
                yield () -> hit.forEach(BrokerFaults::launchIfDown);
            }
            case BROKER_TERMINATED -> {
                hit.stream().filter(BrokerProcess::isAlive).forEach(BrokerProcess::askToEnd);
                yield () -> {
                    endAll(hit);
                    hit.forEach(BrokerFaults::launchIfDown);
                };
            }
            case BROKER_FROZEN -> {
                List<BrokerProcess> frozen = hit.stream()
                        .filter(broker -> broker.isAlive() && !broker.isStopped())
                        .toList();
                frozen.forEach(BrokerProcess::stop);
                yield () -> frozen.stream()
                        .filter(broker -> broker.isAlive() && broker.isStopped())
                        .forEach(BrokerProcess::resume);
            }
            case BROKER_CUT_OFF -> {
                List<Link> links =
                        ids.stream().flatMap(id -> brokers.linksTo(id).stream()).toList();
                links.forEach(Link::refuse);
                yield () -> links.forEach(Link::pass);
            }
            case DISK_FULL -> fillDisk(ids.get(0));
            case BROKERS_ROLLED -> Meanwhile.run(() -> brokers.ids().forEach(this::restart));
            default -> throw new IllegalArgumentException(fault.toString());
        };
    }

    private static void launchIfDown(BrokerProcess broker) {
        if (!broker.isAlive()) {
            broker.launch();
        }
    }

    private static void endAll(List<BrokerProcess> hit) {
        long until = System.nanoTime() + GRACE.toNanos();
        for (BrokerProcess broker : hit) {
            if (!broker.endsWithin(Duration.ofNanos(Math.max(0, until - System.nanoTime())))) {
                broker.kill();
            }
        }
    }

    /** A broker that could not write to its only disk must be started again. */
    private Runnable fillDisk(int id) {
        brokers.disk(id).fill();
        return () -> {
            brokers.disk(id).free();
            brokers.broker(id).kill();
            brokers.broker(id).launch();
        };
    }

    private void restart(int id) {
        BrokerProcess broker = brokers.broker(id);
        broker.askToEnd();
        endAll(List.of(broker));
        broker.restart();
        scene.view().awaitWhole(scene.topics());
    }
}
