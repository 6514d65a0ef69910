package io.neli.internal.election.simulation;

import java.util.List;
import java.util.function.Consumer;

/**
 * What goes wrong with one of the logs that each partition lies on, or between it and a member. A broker that is down or stalls
 * has a log of each partition.
 */
final class QuorumLogFaults {

    private final World world;
    private final Chance chance;
    private final long lease;
    private final int quorum;
    private long lostAt = Long.MIN_VALUE / 2;
    private int lost;

    QuorumLogFaults(World world) {
        this.world = world;
        this.chance = world.chance;
        this.lease = world.conditions.longestLease();
        this.quorum = world.conditions.quorum();
    }

    /** Whether it was one of these; otherwise it is one of those that befall a single log, too. */
    boolean strike(SimulatedMember victim) {
        double what = chance.share();
        if (what < 0.2) {
            cutsOff(victim, leases(0.5, 1, 3, 8));
        } else if (what < 0.35) {
            stalls();
        } else if (what < 0.55) {
            crashes();
        } else if (what < 0.65) {
            loses();
        } else {
            return false;
        }
        return true;
    }

    private long leases(double... choices) {
        return (long) (chance.oneOf(choices) * lease);
    }

    private int one() {
        return (int) chance.between(0, quorum);
    }

    private void each(int which, Consumer<SimulatedLog> what) {
        for (int partition = 0; partition < world.conditions.partitions(); partition++) {
            what.accept(world.logsOf(partition).get(which));
        }
    }

    /** In one direction or both, from one log or two. */
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
        world.timeline.after(duration, () -> {
            if (world.isDisturbed() && victim.isAlive() && !victim.isPaused()) {
                victim.continues();
            }
        });
    }

    private void stalls() {
        long duration = leases(0.3, 0.8, 1.5, 3);
        each(one(), log -> log.stallsFor(duration));
        if (chance.happens(0.1)) {
            each(one(), log -> log.stallsFor(duration));
        }
    }

    private void crashes() {
        long duration = leases(0.3, 1.1, 1.1, 3, 6);
        int which = one();
        each(which, log -> log.crashesFor(duration));
        if (chance.happens(0.1)) {
            each(one(), log -> log.crashesFor(duration));
        }
        // Who is back within a lease, and has lost something, tells everybody that it was gone.
        boolean noticed = duration <= lease || chance.happens(0.5);
        if (chance.happens(0.3) && mayLose(which, duration)) {
            each(which, log -> log.whenUp(() -> losesEnd(log, noticed)));
        }
    }

    private void loses() {
        int which = one();
        if (!mayLose(which, 0)) {
            return;
        }
        if (chance.happens(0.6)) {
            each(which, SimulatedLog::isCreatedAnew);
        } else {
            each(which, log -> losesEnd(log, true));
        }
    }

    private void losesEnd(SimulatedLog log, boolean noticed) {
        int records = (int) chance.between(1, 30);
        if (noticed) {
            log.losesEndAndEverybodyNotices(records);
        } else {
            log.losesEnd(records);
        }
    }

    /** Two logs that are lost within a lease would excuse two leaders; that is rare. */
    private boolean mayLose(int which, long after) {
        long now = world.timeline.now();
        long apart = lease * 21 / 20;
        if (now < lostAt + apart && which != lost && !chance.happens(0.05)) {
            return false;
        }
        lostAt = Math.max(lostAt, now + after);
        lost = which;
        return true;
    }

    /** One log is lost for good, or one member does not reach some of them. */
    void remain(List<SimulatedMember> members) {
        if (chance.happens(0.35)) {
            each(one(), SimulatedLog::dies);
        } else if (chance.happens(0.4) && !members.isEmpty()) {
            cutsOff(chance.oneOf(members), 1000 * lease);
        }
    }
}
