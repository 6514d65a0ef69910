package io.neli.internal.election.simulation;

import io.neli.internal.election.MemberId;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** Quiet after the faults: one leader must be found, must be known to all, and must stay. */
final class Rest {

    private final World world;
    private final long lease;

    Rest(World world) {
        this.world = world;
        this.lease = world.conditions.longestLease();
    }

    /** Runs until nothing has changed for a long time; the last change must lie within the bound. */
    void settle() {
        long calmSince = world.timeline.now();
        long settledAt = calmSince;
        int changes = world.changes();
        double ledAfter = -1;
        while (world.timeline.now() < settledAt + world.conditions.patience().rest() * lease) {
            world.timeline.runUntil(world.timeline.now() + lease / 4);
            if (ledAfter < 0 && world.everyPartitionIsLed()) {
                ledAfter = world.timeline.now() - calmSince;
            }
            boolean settled =
                    world.changes() == changes && world.everyPartitionHasOneLeader() && isBalanced() && allKnow(world);
            if (!settled) {
                changes = world.changes();
                settledAt = world.timeline.now();
                if (settledAt - calmSince > bound()) {
                    throw new SimulationFailure("%.1f leases after the faults %s"
                            .formatted((double) (settledAt - calmSince) / lease, whatIsWrong()));
                }
            }
        }
        double leases = (double) lease;
        world.tally.measured("leases until settled after faults", (settledAt - calmSince) / leases, bound() / leases);
        String what = "leases until led after faults, " + world.conditions.mode();
        world.tally.measured(what, ledAfter / leases, bound() / leases);
    }

    private String whatIsWrong() {
        if (!world.everyPartitionHasOneLeader()) {
            return "a partition has no leader";
        }
        if (!isBalanced()) {
            return "leadership is spread unevenly, or the group does not know of it";
        }
        return allKnow(world) ? "leadership still moves" : "a member does not know who leads";
    }

    /** With a group that everybody reaches, the partitions are spread evenly over the eligible ones. */
    private boolean isBalanced() {
        return world.conditions.adversarial() || world.conditions.oneStaysCutOff() || isBalanced(world);
    }

    static boolean isBalanced(World world) {
        int most = 0;
        int least = Integer.MAX_VALUE;
        for (SimulatedMember member : world.members) {
            if (member.isEligible()) {
                int leads = member.leads();
                most = Math.max(most, leads);
                least = Math.min(least, leads);
            }
        }
        return most - least <= 1 && ownersLead(world);
    }

    private static boolean ownersLead(World world) {
        for (SimulatedMember member : world.members) {
            for (int partition = 0; partition < world.conditions.partitions(); partition++) {
                SimulatedMember leader = world.leader(partition);
                if (leader != null && !leader.id.hash().equals(member.ownerOf(partition))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Observers, too. */
    static boolean allKnow(World world) {
        for (int partition = 0; partition < world.conditions.partitions(); partition++) {
            SimulatedMember leader = world.leader(partition);
            for (SimulatedMember member : world.members) {
                Reach at = member.reach[partition];
                boolean settled = at.open && world.timeline.now() - at.openSince > world.conditions.longestLease();
                boolean reads = settled && !at.cannotRead && !world.isStranger(member);
                @Nullable MemberId known = member.leaderOf(partition);
                if (leader != null && reads && !leader.id.equals(known)) {
                    return false;
                }
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
        long balance = world.conditions.partitions() > 1 ? 12 * lease : 0;
        return 3 * lease + world.group.session() + underWay + balance;
    }
}
