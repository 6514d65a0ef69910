package io.neli.internal.election.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Failures of one of the logs of each partition, or between it and a member. A broker that is down or stalls has one
 * log of each partition.
 */
final class QuorumLogFaults extends Events {

    private final int quorum;
    /** The logs that were replaced last. */
    private final Map<Integer, SimulatedLog> old = new HashMap<>();

    private int lost = -1;
    /** Whether the members have agreed on the logs that count. */
    private boolean agreed;

    QuorumLogFaults(World world) {
        super(world);
        this.quorum = world.conditions.quorum();
    }

    /** Causes a fault. Returns false if it should be one that can also happen to a single log. */
    boolean strike(SimulatedMember victim) {
        agreed |= world.isWhole();
        double what = chance.share();
        if (what < 0.2) {
            cutsOff(victim, leases(0.5, 1, 3, 8));
        } else if (what < 0.35) {
            stalls();
        } else if (what < 0.55) {
            crashes();
        } else if (what < 0.65) {
            loses();
        } else if (what < 0.72 && lost >= 0) {
            moves(victim);
        } else {
            return false;
        }
        return true;
    }

    private int one() {
        return (int) chance.between(0, quorum);
    }

    /** Cuts the member off from one or two logs, in one direction or both. */
    void cutsOff(SimulatedMember victim, long duration) {
        boolean read = chance.happens(0.66);
        boolean write = !read || chance.happens(0.6);
        int first = one();
        int second = chance.happens(0.6) ? first : one();
        for (int number = 0; number < victim.reach.length; number++) {
            int log = number % quorum;
            if (log == first || log == second) {
                victim.reach[number].cannotRead |= read;
                victim.reach[number].cannotWrite |= write;
            }
        }
        world.note(victim.id, "is cut off from logs", first + " and " + second, "read " + read + " write " + write);
        reconnectsAfter(duration, victim);
    }

    private void stalls() {
        long duration = leases(0.3, 0.8, 1.5, 3);
        eachLog(one(), log -> log.stallsFor(duration));
        if (chance.happens(0.1)) {
            eachLog(one(), log -> log.stallsFor(duration));
        }
    }

    private void crashes() {
        long duration = leases(0.3, 1.1, 1.1, 3, 6);
        int which = one();
        eachLog(which, log -> log.crashesFor(duration));
        if (chance.happens(0.1)) {
            eachLog(one(), log -> log.crashesFor(duration));
        }
        if (chance.happens(0.3)) {
            eachLog(which, log -> log.whenUp(log::losesUnflushed));
        }
    }

    /**
     * Loses a log. A second one is lost only after the members have agreed on the replacement of the first, and the old
     * log serves nobody any more: such a member might make it count again, and then two logs would be lost.
     */
    private void loses() {
        int which = one();
        if (world.roles || (which != lost && !(world.isWhole() && areAllNewest()))) {
            return; // with several partitions, one may lose its second log during a change
        }
        lost = which;
        double share = chance.oneOf(0.0, 0.5, 0.5, 1.0);
        for (int partition = 0; partition < world.conditions.partitions(); partition++) {
            int number = partition * quorum + which;
            old.put(number, world.logs.get(number));
            world.replaces(number, share);
        }
    }

    private boolean areAllNewest() {
        return world.members.stream()
                .flatMap(member -> Stream.of(member.reach))
                .allMatch(at -> at.reads == at.reads.newest());
    }

    /** Some members see another log than before: the new one, or the old one again. */
    private void moves(SimulatedMember victim) {
        for (int number = lost; lost >= 0 && number < victim.reach.length; number += quorum) {
            Reach at = victim.reach[number];
            SimulatedLog newest = at.reads.newest();
            double what = chance.share();
            if (what < 0.4) {
                at.reads = newest;
                at.writes = chance.happens(0.7) ? newest : at.writes;
            } else if (what < 0.7) {
                at.writes = newest;
            } else if (old.get(number) != null) {
                at.reads = old.get(number);
                at.writes = chance.happens(0.7) ? at.reads : at.writes;
            }
        }
        victim.wake();
    }

    /** One log is lost for good, or one member does not reach some of them. */
    void remain(List<SimulatedMember> members) {
        if (chance.happens(0.35) && agreed) {
            eachLog(lost >= 0 ? lost : one(), SimulatedLog::dies);
        } else if (chance.happens(0.4) && !members.isEmpty()) {
            cutsOff(chance.oneOf(members), 1000 * lease);
        }
    }
}
