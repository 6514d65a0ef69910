package io.neli.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.neli.harness.Link;

/** Faults of the routes of one member to the brokers. */
final class LinkFaults {

    private static final Duration SLOW = Duration.ofMillis(200);
    private static final Duration VERY_SLOW = Duration.ofSeconds(2);

    private final Scene scene;

    LinkFaults(Scene scene) {
        this.scene = scene;
    }

    /** Begins the fault. The returned action ends it. */
    Runnable begin(Fault fault, Targets targets) {
        String member = targets.member(fault);
        List<Link> all = scene.brokers().links(member);
        List<Link> one = List.of(scene.brokers().link(member, targets.log(fault)));
        return switch (fault.kind()) {
            case CUT_FROM_COORDINATOR -> on(all, Link::cutCoordinator);
            case CUT_FROM_BROKER -> on(one, Link::refuse);
            case CUT_FROM_ALL -> on(all, Link::refuse);
            case SILENT_BROKER -> on(one, Link::silence);
            case SILENT_ALL -> on(all, Link::silence);
            case ONE_WAY_FROM_BROKERS -> on(all, Link::silenceToBroker);
            case ONE_WAY_TO_BROKERS -> on(all, Link::silenceToClient);
            case SLOW -> on(all, link -> link.delay(SLOW));
            case VERY_SLOW -> on(all, link -> link.delay(VERY_SLOW));
            case RESET -> {
                all.forEach(Link::reset);
                yield () -> all.forEach(Link::reset);
            }
            default -> throw new IllegalArgumentException(fault.toString());
        };
    }

    private static Runnable on(List<Link> links, Consumer<Link> fault) {
        links.forEach(fault);
        return () -> links.forEach(Link::pass);
    }
}
