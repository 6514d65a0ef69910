package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.internal.election.Violation;

/**
 * One of several logs is replaced, perhaps more than once, while its old broker still serves some members. Which of the
 * two a member reads and writes changes constantly, and so does which logs it reaches at all.
 */
final class Replacement extends Events {

    private static final int TICKS = 120;

    private final int replaced;

    Replacement(World world) {
        super(world);
        this.replaced = (int) chance.between(0, world.conditions.quorum());
    }

    void run() {
        beginWithAllLogs(2L, 3L);
        world.isDisturbed(true);
        SimulatedLog old = world.logs.get(replaced);
        for (int tick = 0; tick < TICKS; tick++) {
            world.waits(lease / 10);
            if (tick == 0 || chance.happens(0.01)) {
                old = chance.happens(0.5) ? old : world.logs.get(replaced);
                world.replaces(replaced, 0.5);
            }
            happens(chance.oneOf(world.members), old);
            world.check();
        }
        world.isDisturbed(false);
        for (SimulatedMember member : world.members) {
            member.reach[replaced].reachesNewest();
            member.continues();
            member.endsItsWork();
        }
        long end = world.timeline.now() + settling(8);
        for (int lasts = 0; lasts < 3; ) {
            Violation.unless(world.timeline.now() < end, "after a log was replaced nobody leads for long");
            int changes = world.changes;
            world.waits(lease);
            lasts = world.changes == changes && world.everyPartitionHasOneLeader() ? lasts + 1 : 0;
        }
    }

    private void happens(SimulatedMember victim, SimulatedLog old) {
        double what = chance.share();
        Reach at = victim.reach[replaced];
        if (what < 0.15) {
            reachesTwo(old);
        } else if (what < 0.22) {
            world.members.forEach(SimulatedMember::continues);
        } else if (what < 0.3) {
            Reach any = victim.reach[(int) chance.between(0, victim.reach.length)];
            any.cannotRead = chance.happens(0.3);
            any.cannotWrite = chance.happens(0.3);
        } else if (what < 0.37) {
            victim.pauses((long) (chance.share() * 3 * lease));
        } else if (what < 0.4) {
            world.crashes(victim);
            world.join(true);
        } else if (what < 0.5) {
            at.reads = chance.happens(0.5) ? old : world.logs.get(replaced);
        } else if (what < 0.6) {
            at.writes = chance.happens(0.5) ? old : world.logs.get(replaced);
        }
        victim.wake();
    }

    /** Each member reaches all logs but one, and of the replaced log the old or the new one. */
    private void reachesTwo(SimulatedLog old) {
        for (SimulatedMember member : List.copyOf(world.members)) {
            int none = (int) chance.between(0, world.conditions.quorum());
            for (int log = 0; log < member.reach.length; log++) {
                Reach at = member.reach[log];
                at.cannotRead = log == none;
                at.cannotWrite = log == none;
                if (log == replaced) {
                    at.reads = chance.happens(0.5) ? old : world.logs.get(log);
                    at.writes = chance.happens(0.8) ? at.reads : at.reads == old ? world.logs.get(log) : old;
                }
            }
            member.wake();
        }
    }
}
