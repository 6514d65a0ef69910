package io.neli.internal.election.simulation;

import io.neli.internal.election.MemberId;
import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * One after another, logs of a partition crash, stall, are created again, or are cut off from the leader. The leader
 * continues to lead, and holds the log again soon after it recovers.
 */
final class Outage extends Events {

    private static final int OUTAGES = 3;

    Outage(World world) {
        super(world);
    }

    void run() {
        beginWithAllLogs(1L, 2L, 3L, 5L);
        int changes = world.changes;
        world.onClaim = this::requireLeads;
        for (int outage = 0; outage < OUTAGES; outage++) {
            long duration = leases(0.2, 0.7, 1, 3, 6);
            int which = (int) chance.between(0, world.conditions.quorum());
            boolean cutsOff = happens(which, duration);
            world.waits(duration);
            if (cutsOff) {
                world.members.forEach(SimulatedMember::continues);
            }
            // A lost log is claimed once no earlier lease can last; one that others took over, once they resign.
            world.waits(3 * lease + 100 * MILLISECOND);
            for (int partition = 0; partition < world.conditions.partitions(); partition++) {
                requireAllHeld(partition);
            }
        }
        Violation.unless(world.changes == changes, "a leader has not led through the outage of one log");
    }

    private boolean happens(int which, long duration) {
        double what = chance.share();
        eachLog(which, log -> {
            if (what < 0.3) {
                log.crashesFor(duration);
            } else if (what < 0.5) {
                log.stallsFor(duration);
            } else if (what < 0.7) {
                world.replaces(world.number(log.id), 0);
            } else if (what < 0.8) {
                log.crashesFor(duration);
                log.whenUp(log::losesUnflushed);
            } else {
                cutsOff(world.number(log.id), what);
            }
        });
        return what >= 0.8;
    }

    /** Cuts off the leader or all members, in one direction or both. */
    private void cutsOff(int number, double how) {
        for (SimulatedMember member : world.members) {
            if (how < 0.87 || member.isLeader(world.partitionOf(number))) {
                member.reach[number].cannotRead = how < 0.9 || how >= 0.95;
                member.reach[number].cannotWrite = how < 0.95;
            }
        }
        world.note("log", world.name(number), "is cut off", how);
    }

    /** Requires that others leave the log to the leader. */
    private void requireLeads(MemberId who, int partition) {
        SimulatedMember leader = world.leader(partition);
        Violation.unless(leader != null && leader.id.equals(who), who + " claims a log, and does not lead");
    }

    private void requireAllHeld(int partition) {
        SimulatedMember leader = world.leader(partition);
        for (SimulatedLog log : world.logsOf(partition)) {
            boolean isHeld = leader != null && leader.holdsLog(world.number(log.id));
            Violation.unless(isHeld, "the leader has not got log " + log.id + " back");
        }
    }
}
