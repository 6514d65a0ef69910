package io.neli.internal.election.simulation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** A calm world in which some members have started together, and leadership, the group and all bounds have settled. */
final class Settled {

    private Settled() {}

    static void settle(World world, long... members) {
        long started = world.conditions.isCrowd() ? world.conditions.members() : world.chance.oneOf(members);
        for (long left = started; left > 0; left--) {
            long start = world.chance.between(0, 30 * MILLISECOND);
            world.timeline.at(start, () -> world.join(true));
        }
        world.timeline.runUntil(3 * world.conditions.longestLease() + 2500 * MILLISECOND);
        if (!world.everyPartitionHasOneLeader()) {
            throw new SimulationFailure("without faults a partition has no leader");
        }
    }
}
