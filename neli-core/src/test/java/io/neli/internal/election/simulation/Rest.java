package io.neli.internal.election.simulation;

import java.util.IntSummaryStatistics;
import java.util.stream.Stream;

import io.neli.internal.election.Conflict;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/** The quiet after the faults: one leader must be found, must be known to all, and must stay. */
final class Rest extends Events {

    Rest(World world) {
        super(world);
    }

    /** Runs until nothing has changed for long. The last change must be within the bound. */
    void settle() {
        runUntilAllHasArrived();
        long calmSince = world.timeline.now();
        long ledBound = ledBound();
        long settledBound = settledBound(ledBound);
        long settledAt = calmSince;
        long ledAfter = -1;
        int changes = world.changes;
        int assignments = world.group.generation;
        while (world.timeline.now() < settledAt + world.conditions.patience().rest() * lease) {
            if (ledAfter < 0 && world.everyPartitionIsLed()) {
                ledAfter = world.timeline.now() - calmSince;
            }
            world.waits(lease / 8);
            boolean still = world.changes == changes && world.group.generation == assignments;
            boolean settled = still && world.everyPartitionHasOneLeader() && isBalanced() && allKnow(world);
            if (!settled) {
                changes = world.changes;
                assignments = world.group.generation;
                settledAt = world.timeline.now();
                if (settledAt - calmSince > settledBound) {
                    throw new Violation("%.1f leases after the faults: still %s, led %s, balanced %s, known to all %s"
                            .formatted(
                                    (double) (settledAt - calmSince) / lease,
                                    still,
                                    world.everyPartitionHasOneLeader(),
                                    isBalanced(),
                                    allKnow(world)));
                }
            }
        }
        double leases = (double) lease;
        world.tally.measured(
                "leases until settled after faults", (settledAt - calmSince) / leases, settledBound / leases);
        String what = "leases until led after faults, " + world.conditions.mode();
        world.tally.measured(what, ledAfter / leases, ledBound / leases);
    }

    /**
     * Records sent during the faults may arrive late and, for example, delay a claim for longer than any rule can know.
     */
    private void runUntilAllHasArrived() {
        for (SimulatedLog log : world.logs) {
            world.timeline.runUntil(Math.max(world.timeline.now(), log.underWayUntil));
        }
    }

    /** If all members reach the group, the partitions are spread evenly over the eligible ones. */
    private boolean isBalanced() {
        return world.conditions.adversarial() || world.conditions.oneStaysCutOff() || isBalanced(world);
    }

    /** A member that may not lead all partitions may have fewer than the others. */
    static boolean isBalanced(World world) {
        if (world.members.stream().anyMatch(SimulatedMember::mayNotLeadAll)) {
            return ownersLead(world);
        }
        IntSummaryStatistics led = world.members.stream()
                .filter(SimulatedMember::isEligible)
                .mapToInt(SimulatedMember::leads)
                .summaryStatistics();
        return (long) led.getMax() - led.getMin() <= 1 && ownersLead(world);
    }

    private static boolean ownersLead(World world) {
        for (SimulatedMember member : world.members) {
            for (int partition = 0; partition < member.leading.length; partition++) {
                SimulatedMember leader = world.leader(partition);
                boolean isOurs = leader != null && !world.isStranger(member);
                if (isOurs && !leader.id.hash().equals(member.ownerOf(partition))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether all members know the leaders, even observers. */
    static boolean allKnow(World world) {
        for (int partition = 0; partition < world.conditions.partitions(); partition++) {
            SimulatedMember leader = world.leader(partition);
            for (SimulatedMember member : world.members) {
                boolean opaque = member.cannotReadAll() && leader != null && World.isNewer(leader.id);
                if (leader == null || opaque || partition >= member.leading.length || world.isStranger(member)) {
                    continue;
                }
                boolean reads = world.logsOf(partition).stream().anyMatch(log -> readsOf(leader, member, log));
                @Nullable MemberId known = member.leaderOf(partition);
                if (reads && !leader.id.equals(known)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a member reads a log with which the other leads. */
    private static boolean readsOf(SimulatedMember leader, SimulatedMember member, SimulatedLog log) {
        World world = log.world;
        int number = world.number(log.id);
        Reach at = member.reach[number];
        boolean settled = at.open && world.timeline.now() - at.openSince > world.conditions.longestLease();
        return settled && !at.cannotRead && leader.holdsLog(number);
    }

    /**
     * The time within which every partition is led. An earlier lease, or one unknown to a newcomer, lasts for a lease
     * and its margin. The owner, or the first bidder, may be dead: each has half a lease. The next bid may be lost, and
     * is repeated after another half. With several partitions, one may just be handed over when the last of the others
     * is taken; its work then takes up to one and a half leases.
     */
    private long ledBound() {
        long takeover = lease * 101 / 100 + 3 * lease / 2;
        long handover = world.conditions.partitions() > 1 ? 3 * lease / 2 : 0;
        long conflict = world.hasStrangers ? lease : 0;
        return untilEligible() + takeover + handover + conflict + untilRead();
    }

    /** A log that ends before its reported end is opened again, and earlier leases may last for another lease. */
    private long untilRead() {
        return missingRecords() > 0 ? 2 * lease + lease * 101 / 100 : 0;
    }

    private long missingRecords() {
        return world.members.stream()
                .flatMap(member -> Stream.of(member.reach))
                .mapToInt(at -> at.end - at.reads.end())
                .max()
                .orElse(0);
    }

    /** If heartbeats fill it instead, its readers are eligible only then, and the group moves once more. */
    private long untilFilled() {
        return Math.max(0, missingRecords()) * lease / 4;
    }

    /** How long members that may lead must still wait: for a cooldown, or until the group misses a stranger. */
    private long untilEligible() {
        long wait = 0;
        boolean conflict = false;
        for (SimulatedMember member : world.members) {
            conflict |= member.state.conflict() != Conflict.NONE;
            for (PartitionState partition : member.state.partitions()) {
                MonotonicTime until = partition.eligibility().restraint().cooldownUntil();
                if (!member.clock.now().time().hasReached(until)) {
                    wait = Math.max(wait, member.clock.instantOf(until) - world.timeline.now());
                }
            }
        }
        return wait + (conflict ? untilAssigned() : 0);
    }

    /**
     * The group notices a loss after a session. Then its members take turns, each a quarter of a lease, to agree again.
     */
    private long untilAssigned() {
        return Math.max(world.group.session, world.group.initialDelay) + lease;
    }

    /**
     * The time after which nothing moves. The group names the owners. An owner that did not claim after a handover gets
     * the next one after ten leases; it asks once per lease.
     */
    private long settledBound(long ledBound) {
        return Math.max(ledBound, Math.max(untilAssigned(), 10 * lease) + 2 * lease) + untilFilled();
    }
}
