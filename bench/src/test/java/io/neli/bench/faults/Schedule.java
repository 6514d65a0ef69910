package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.neli.bench.faults.FaultKind.Target;

/** Decides what the nemesis does: a pure function of the arrangement and the seed. */
final class Schedule {

    private static final double SHORTEST_LEASES = 0.1;
    private static final double LONGEST_LEASES = 10;
    private static final double LEASE_LOSING = 1.2;
    private static final double LONGEST_ONCE = 3; // so that all are done within minutes

    /** The targets that are a single broker come first. */
    private static final int ONE = 3;

    private static final double PAIRS = 0.35;
    private static final double LATEST_SECOND = 1.5;

    private Schedule() {}

    /** One fault, or two that overlap or follow each other closely. */
    static List<Fault> of(Arrangement arrangement, long seed) {
        List<FaultKind> kinds = arrangement.kinds();
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        random.nextLong(); // the first values of neighbouring seeds are alike
        Fault first = draw(random, kinds.get(random.nextInt(kinds.size())), 0);
        if (random.nextDouble() >= PAIRS) {
            return List.of(first);
        }
        FaultKind kind = kinds.get(random.nextInt(kinds.size()));
        while (!first.kind().allows(kind)) {
            kind = kinds.get(random.nextInt(kinds.size()));
        }
        return List.of(first, draw(random, kind, random.nextDouble() * LATEST_SECOND));
    }

    /**
     * Each kind once: to the leader if it hits members, otherwise to one broker, and also to two or all if it can.
     * Rolling restarts come first, so that members that run on can be compared with their earlier state.
     */
    static List<Fault> ofEachKind(Arrangement arrangement, long seed) {
        Random random = new Random(seed);
        List<Fault> faults = new ArrayList<>();
        for (FaultKind kind : arrangement.kinds()) {
            List<Target> targets = kind.targets();
            if (kind.hitsMembers()) {
                faults.add(draw(random, kind, Target.LEADER, LEASE_LOSING, LONGEST_ONCE, 0));
            } else {
                faults.add(draw(
                        random,
                        kind,
                        targets.get(random.nextInt(Math.min(ONE, targets.size()))),
                        SHORTEST_LEASES,
                        LONGEST_ONCE,
                        0));
            }
            if (targets.size() > ONE) {
                faults.add(draw(
                        random,
                        kind,
                        targets.get(ONE + random.nextInt(targets.size() - ONE)),
                        SHORTEST_LEASES,
                        LONGEST_ONCE,
                        0));
            }
        }
        return faults;
    }

    private static Fault draw(Random random, FaultKind kind, double delay) {
        Target target = kind.targets().get(random.nextInt(kind.targets().size()));
        return draw(random, kind, target, SHORTEST_LEASES, LONGEST_LEASES, delay);
    }

    /** Draws a duration on a logarithmic scale. */
    private static Fault draw(
            Random random, FaultKind kind, Target target, double shortest, double longest, double delay) {
        double leases = shortest * Math.pow(longest / shortest, random.nextDouble());
        return new Fault(kind, target, round(leases), round(delay), random.nextInt(1 << 16));
    }

    private static double round(double leases) {
        return Math.round(leases * 100) / 100.0;
    }
}
