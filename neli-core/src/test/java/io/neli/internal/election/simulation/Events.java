package io.neli.internal.election.simulation;

import java.util.function.Consumer;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** What happens in a world, and how members of a calm one settle before it. */
abstract class Events {

    final World world;
    final Chance chance;
    /** The longest lease. */
    final long lease;

    Events(World world) {
        this.world = world;
        this.chance = world.chance;
        this.lease = world.conditions.longestLease();
    }

    long leases(double... choices) {
        return (long) (chance.oneOf(choices) * lease);
    }

    /** Members start together, and leadership, the group and all waits settle. One of several logs may be down. */
    void begin(long... members) {
        beginWithAllLogs(members);
        loseOneLog();
    }

    void beginWithAllLogs(long... members) {
        long started = world.conditions.isCrowd() ? world.conditions.members() : chance.oneOf(members);
        for (long left = started; left > 0; left--) {
            long start = chance.between(0, 30 * MILLISECOND);
            world.timeline.at(start, () -> world.join(true));
        }
        world.waits(settling(3));
        requireLeaders();
    }

    /** As long as so many leases and a new group's first assignment take. */
    long settling(int leases) {
        return leases * lease + world.group.initialDelay + 500 * MILLISECOND;
    }

    /** One of several logs may go down for good. */
    void loseOneLog() {
        if (world.conditions.quorum() > 1 && world.isWhole() && chance.happens(0.3)) {
            int which = (int) chance.between(0, world.conditions.quorum());
            eachLog(which, SimulatedLog::dies);
            world.waits(chance.oneOf(0L, 1L, 2L) * lease);
        }
    }

    /** Does something to one log of each partition. */
    void eachLog(int which, Consumer<SimulatedLog> what) {
        for (int partition = 0; partition < world.conditions.partitions(); partition++) {
            what.accept(world.logsOf(partition).get(which));
        }
    }

    /** After a while, a member that was cut off reaches everything again, unless the world is calm by then. */
    void reconnectsAfter(long duration, SimulatedMember victim) {
        world.timeline.after(duration, () -> {
            if (world.isDisturbed() && victim.alive && !victim.isPaused()) {
                victim.continues();
            }
        });
    }

    void requireLeaders() {
        Violation.unless(world.everyPartitionHasOneLeader(), "without faults a partition has no leader");
    }

    SimulatedMember leader(int partition) {
        SimulatedMember leader = world.leader(partition);
        if (leader == null) {
            throw new Violation("without faults a partition has no leader");
        }
        return leader;
    }
}
