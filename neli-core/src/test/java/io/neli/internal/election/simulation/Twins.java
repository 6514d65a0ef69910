package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** A snapshot of a running member's machine is restored while the member continues, perhaps more than once. */
final class Twins extends Events {

    /** Longer than a record, its notification and a poll take while nothing is disturbed. */
    static final long ROUND_TRIP = 25 * MILLISECOND;

    Twins(World world) {
        super(world);
    }

    void run() {
        world.latestTimer = MILLISECOND; // no timer is exact to the nanosecond, which tells twins apart
        for (long left = chance.oneOf(1L, 2L, 3L); left > 0; left--) {
            world.join(true);
        }
        world.waits(chance.between(0, 2 * lease));
        if (chance.happens(0.7)) {
            world.waits(settling(3)); // long enough for somebody to lead
        }
        SimulatedMember original = original();
        List<SimulatedMember> copies =
                chance.happens(0.8) ? List.of(original.snapshot()) : List.of(original.snapshot(), original.snapshot());
        long goesOn = 0;
        if (chance.happens(0.5)) { // the original is stopped for the snapshot
            original.clock.suspend();
            long stopped = leases(0.1, 0.6, 2, 8);
            original.pauses(stopped);
            goesOn = world.timeline.now() + stopped;
            world.timeline.at(goesOn, world::haveTwins);
        }
        if (chance.happens(0.3) && world.leader(0) != original) {
            loseLeader();
        }
        for (SimulatedMember copy : copies) {
            world.waits(leases(0, 0, 0.1, 0.6, 2, 8));
            world.restores(copy);
            for (long end = world.timeline.now() + lease; world.timeline.now() < end; ) {
                world.waits(MILLISECOND);
                world.check();
            }
        }
        world.timeline.runUntil(Math.max(goesOn, world.timeline.now()) + lease / 2);
        // On standby, they write nothing that would tell them apart.
        for (int others = world.members.size(); others > 0 && areAlike(); others--) {
            loseLeader();
            world.waits(3 * lease);
        }
        Violation.unless(!areAlike(), "twins are one member still");
        new Rest(world).settle();
    }

    private boolean areAlike() {
        return world.members.stream().map(member -> member.id).distinct().count() < world.members.size();
    }

    private SimulatedMember original() {
        SimulatedMember leader = world.leader(0);
        return leader != null && chance.happens(0.6) ? leader : chance.oneOf(world.members);
    }

    private void loseLeader() {
        SimulatedMember leader = world.leader(0);
        if (leader != null) {
            world.crashes(leader);
        }
    }
}
