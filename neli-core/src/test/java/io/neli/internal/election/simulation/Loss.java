package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * A member leads by two of three logs, and one of these is lost, while others reach that one and the third: they have to wait as
 * long as any lease may last that the lost log has granted, even if they know nothing of it.
 */
final class Loss {

    private final World world;
    private final Chance chance;
    private final long shortLease;
    private final long longLease;
    private final int kept;
    private final int lost;
    private final int third;

    Loss(World world) {
        this.world = world;
        this.chance = world.chance;
        this.shortLease = world.conditions.leases().get(0);
        this.longLease = world.conditions.longestLease();
        this.kept = (int) chance.between(0, world.conditions.quorum());
        this.lost = (kept + (chance.happens(0.5) ? 1 : 2)) % 3;
        this.third = 3 - kept - lost;
    }

    void run() {
        boolean neverThere = world.conditions.leases().size() == 1 && chance.happens(0.5);
        SimulatedMember leader = world.join(chance.happens(0.7) ? longLease : shortLease);
        if (neverThere) {
            cutsOff(leader, third);
        }
        waits(longLease + 500 * MILLISECOND);
        for (long others = chance.between(0, 3); others > 0; others--) {
            // Some read nothing of the log before it is lost.
            world.join(lease()).reach[lost].cannotRead = chance.happens(0.5);
        }
        waits(chance.between(0, 2 * longLease));
        cutsOff(leader, third);
        waits(chance.between(0, longLease));
        isDeafOrPaused(leader);
        waits(chance.between(0, shortLease));
        isLost(world.logsOf(0).get(lost));
        for (SimulatedMember member : List.copyOf(world.members)) {
            if (member != leader) {
                cutsOff(member, kept);
                member.reach[lost].cannotRead = false;
                member.wake();
            }
        }
        if (chance.happens(0.7)) {
            waits(chance.between(0, shortLease));
            cutsOff(world.join(lease()), kept);
        }
        for (int tick = 0; tick < 40; tick++) {
            waits(longLease / 20);
            world.check();
        }
        world.members.forEach(SimulatedMember::continues);
        waits(4 * longLease);
        if (!world.everyPartitionHasOneLeader()) {
            throw new Violation("after the loss of one log nobody leads");
        }
    }

    private long lease() {
        return chance.happens(0.6) ? shortLease : longLease;
    }

    /** So it may not notice the loss before its lease is over. */
    private void isDeafOrPaused(SimulatedMember leader) {
        double what = chance.share();
        if (what < 0.4) {
            leader.pauses(2 * longLease);
        } else if (what < 0.8) {
            leader.reach[lost].cannotRead = true;
        }
    }

    private void isLost(SimulatedLog log) {
        double what = chance.share();
        if (what < 0.6) {
            log.isCreatedAnew();
        } else if (what < 0.8) {
            log.losesEndAndEverybodyNotices((int) chance.between(1, 60));
        } else {
            // Down for as long as any lease, so that it may go unnoticed what it has lost.
            log.crashesFor(longLease * 102 / 100);
            log.whenUp(() -> log.losesEnd((int) chance.between(1, 60)));
        }
    }

    private void cutsOff(SimulatedMember member, int log) {
        member.reach[log].cannotRead = true;
        member.reach[log].cannotWrite = true;
    }

    private void waits(long duration) {
        world.timeline.runUntil(world.timeline.now() + duration);
    }
}
