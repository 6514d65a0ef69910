package io.neli.internal.election.simulation;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * Non-exclusive mode in a calm world: members come and go, and there is always a leader; a crash leaves a short gap.
 */
final class Continuity extends Events {

    Continuity(World world) {
        super(world);
    }

    void run() {
        begin(3L, 4L, 5L);
        for (int round = 0; round < 2; round++) {
            SimulatedMember leader = leader((int) chance.between(0, world.conditions.partitions()));
            if (chance.happens(0.25)) {
                crash(leader);
            } else {
                leaves(leader);
                Violation.unless(gap(leases(0.5, 2, 4)) == 0, "without a crash nobody leads for a while");
            }
            world.join(true);
            Violation.unless(gap(lease + 500 * MILLISECOND) == 0, "a member joins, and nobody leads for a while");
        }
        gap(settling(3));
        Violation.unless(world.everyPartitionHasOneLeader(), "without faults two lead for long");
        Violation.unless(world.tally.of("fenced") == 0, "without faults a leader was fenced");
    }

    private void crash(SimulatedMember leader) {
        world.crashes(leader);
        double gap = gap(2 * lease);
        // If there are several logs, others may have claimed some.
        long roundTrips = (world.conditions.quorum() > 1 ? 90 : 60) * MILLISECOND;
        double bound = 0.76 * leader.lease() + roundTrips;
        world.tally.measured("leases a crash costs, non-exclusive", gap / leader.lease(), bound / leader.lease());
    }

    private void leaves(SimulatedMember leader) {
        switch ((int) chance.between(0, 5)) {
            case 0 -> leader.closes();
            case 1 -> leader.resigns(10 * leader.lease());
            case 2 -> leader.isCandidate(false);
            case 3 -> leader.stepsDown((int) chance.between(0, world.conditions.partitions()), true);
            default -> leader.stepsDown(true);
        }
    }

    /** How long some partition has no leader. */
    private long gap(long during) {
        long gap = 0;
        long end = world.timeline.now() + during;
        while (world.timeline.now() < end) {
            world.waits(2 * MILLISECOND);
            if (!world.everyPartitionIsLed()) {
                gap += 2 * MILLISECOND;
            }
        }
        return gap;
    }
}
