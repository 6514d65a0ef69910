package io.neli.protocol.simulation;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import static io.neli.protocol.simulation.Conditions.MILLISECOND;

/** One seed: faults for a while, then quiet, in which one leader must be found and must stay. */
final class Schedule {

    private static final int LEASES_OF_FAULTS = 20;
    private static final int LEASES_OF_REST = 20;

    private final World world;
    private final long lease;

    Schedule(long seed, @Nullable Consumer<String> trace) {
        this.world = new World(seed, trace);
        this.lease = world.conditions.longestLease();
        world.note("world", seed, "", world.conditions);
    }

    /** What came of a schedule. */
    record Outcome(int acquisitions, double leasesToSettle) {}

    Outcome run() {
        Chance chance = world.chance;
        for (long left = chance.oneOf(2L, 3L, 5L); left > 0; left--) {
            long start = chance.oneOf(0L, 0L, 1L, 30L, 400L, 2000L) * MILLISECOND;
            world.timeline.at(start, () -> world.join(true));
        }
        Faults faults = new Faults(world);
        faults.until(LEASES_OF_FAULTS * lease);
        faults.end();

        return new Outcome(world.acquisitions(), (double) settle() / lease);
    }

    /** Runs until nothing has changed for a long time; the last change must lie within the bound. */
    private long settle() {
        long calmSince = world.timeline.now();
        long settledAt = calmSince;
        int changes = world.changes();
        while (world.timeline.now() < settledAt + LEASES_OF_REST * lease) {
            world.timeline.runUntil(world.timeline.now() + lease / 4);
            boolean settled = world.changes() == changes && everyPartitionHasOneLeader();
            if (!settled) {
                changes = world.changes();
                settledAt = world.timeline.now();
                if (settledAt - calmSince > bound()) {
                    throw new SimulationFailure("after %d leases of quiet leadership still moves, or there is none"
                            .formatted((settledAt - calmSince) / lease));
                }
            }
        }
        requireBalance();
        return settledAt - calmSince;
    }

    /** With a group that everybody reaches, the partitions are spread evenly over those that stand. */
    private void requireBalance() {
        if (world.conditions.adversarial() || world.conditions.oneStaysCutOff()) {
            return;
        }
        int most = 0;
        int least = Integer.MAX_VALUE;
        for (SimulatedMember member : world.members) {
            if (member.stands()) {
                int leads = member.subscription().leading().size();
                most = Math.max(most, leads);
                least = Math.min(least, leads);
            }
        }
        if (most - least > 1) {
            throw new SimulationFailure("one leads " + most + " partitions, another " + least);
        }
    }

    private boolean everyPartitionHasOneLeader() {
        for (int partition = 0; partition < world.logs.size(); partition++) {
            int leaders = 0;
            for (SimulatedMember member : world.members) {
                leaders += member.isLeader(partition) ? 1 : 0;
            }
            if (leaders != 1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Within which time one leader is found: what was under way ends (a cooldown, a handover, a lease), the group notices who is
     * gone, and a few leases; with several partitions the group then balances them, which a leader may put off for ten leases.
     */
    private long bound() {
        long underWay = 2 * lease + 2000 * MILLISECOND;
        long balance = world.conditions.partitions() > 1 || !world.conditions.takeover() ? 12 * lease : 0;
        return 3 * lease + world.group.session() + underWay + balance;
    }
}
