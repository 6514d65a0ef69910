package io.neli.internal.election.simulation;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** Prepares a calm world: members have started together, and leadership, the group and all waits have settled. */
final class Settled {

    private Settled() {}

    /** One of several logs may be down for good. */
    static void settle(World world, long... members) {
        settleWithAllLogs(world, members);
        loseOneLog(world);
    }

    static void loseOneLog(World world) {
        if (world.conditions.quorum() > 1 && world.isWhole() && world.chance.happens(0.3)) {
            int which = (int) world.chance.between(0, world.conditions.quorum());
            for (int partition = 0; partition < world.conditions.partitions(); partition++) {
                world.logsOf(partition).get(which).dies();
            }
            world.waits(world.chance.oneOf(0L, 1L, 2L) * world.conditions.longestLease());
        }
    }

    static void settleWithAllLogs(World world, long... members) {
        long started = world.conditions.isCrowd() ? world.conditions.members() : world.chance.oneOf(members);
        for (long left = started; left > 0; left--) {
            long start = world.chance.between(0, 30 * MILLISECOND);
            world.timeline.at(start, () -> world.join(true));
        }
        world.timeline.runUntil(3 * world.conditions.longestLease() + 2500 * MILLISECOND);
        Violation.unless(world.everyPartitionHasOneLeader(), "without faults a partition has no leader");
    }
}
