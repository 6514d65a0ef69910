package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Records;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * The leader leaves a calm world, once. Somebody else soon leads, after one claim, and nothing else changes. A crash
 * costs about one lease, or about 1.8 if the first claimant dies too; a graceful departure costs some round trips to
 * the log.
 */
final class Departure extends Events {

    /** Several times what records and their readers need in a calm world. */
    private static final double ROUND_TRIPS = 70 * MILLISECOND;

    /** The time until the resignation is read, and the successor's claim is written and read. */
    private static final double CLAIM = 35 * MILLISECOND;

    private boolean hasVictim;
    private long diedLater;

    Departure(World world) {
        super(world);
    }

    void run() {
        begin(3L, 4L, 5L);
        @Nullable SimulatedMember stranger = null;
        if (chance.happens(0.3)) {
            stranger = world.joinStranger(chance.happens(0.7));
        }
        world.waits(chance.between(0, lease));
        if (stranger != null) {
            world.waits(3000 * MILLISECOND);
        }
        SimulatedMember leader = leader(0);
        boolean one = world.conditions.partitions() == 1;
        double what = chance.share();
        if (what < 0.3 && one) {
            crashOfTwo(leader, what < 0.2);
        } else if (what < 0.4 && one) {
            crashAndPause(leader);
        } else if (what < 0.55) {
            crash(leader);
        } else if (what < 0.6) {
            isCutOffFromReading(leader);
        } else if (what < 0.65) {
            stalls();
        } else {
            leaves(leader);
        }
        boolean strangerLeads = stranger != null && world.members.contains(stranger) && stranger.leadsAny();
        Violation.unless(!strangerLeads, "a stranger leads");
    }

    private void crash(SimulatedMember leader) {
        int partitions = leader.leads();
        long claims = world.tally.of("claims");
        long bids = world.tally.of("bids");
        double what = chance.share();
        if (what < 0.3) {
            isCutOff(leader);
        } else {
            world.crashes(leader);
            if (what < 0.5) {
                ghostBeats(0, leader.lease() / 4, 12);
            }
        }
        double cost = untilLed();
        world.tally.measured("leases a crash costs", cost / leader.lease(), 1.02 + 30.0 * MILLISECOND / leader.lease());
        requireClaims(claims, partitions);
        requireFewBids(leader, bids);
    }

    /** The leader can write but not read: it is fenced after a lease, and resigns as soon as its work has ended. */
    private void isCutOffFromReading(SimulatedMember leader) {
        world.note(leader.id, "reads nothing more", -1, "");
        long from = world.timeline.now();
        Stream.of(leader.reach).forEach(each -> each.cannotRead = true);
        while (world.everyPartitionHasOneLeader()) {
            world.waits(MILLISECOND);
        }
        double fencedAfter = world.timeline.now() - from;
        double cost = fencedAfter + untilLed();
        // After three quarters of a lease of silence, another member claims, so a later resignation is too late. If
        // both happen at the same moment, the successor claims as well.
        boolean inTime = world.longestDrain < leader.lease() * 45 / 100;
        double tooLate = 2.02 * leader.lease() + Math.min(world.longestDrain, leader.lease());
        double its = inTime ? 1.02 * leader.lease() + world.longestDrain : tooLate;
        world.tally.measured(
                "leases that a leader costs that reads nothing",
                cost / leader.lease(),
                (its + ROUND_TRIPS) / leader.lease());
    }

    /** Nobody can read for some leases: the leader is fenced, and its resignation is in the log when that is back. */
    private void stalls() {
        long until = world.timeline.now() + 3 * lease;
        world.logs.forEach(log -> log.stallsFor(3 * lease));
        world.timeline.runUntil(until);
        double cost = untilLed();
        world.tally.measured(
                "ms that a stalled log costs", cost / MILLISECOND, (ROUND_TRIPS + invitation(lease)) / MILLISECOND);
    }

    /** How long the others wait for the successor's claim. */
    private static double invitation(long lease) {
        return Math.max(25.0 * MILLISECOND, Math.min(250.0 * MILLISECOND, lease / 20.0));
    }

    /** In a large group, most members do not bid if they can read the first bids before their turn. */
    private void requireFewBids(SimulatedMember leader, long before) {
        if (world.conditions.partitions() == 1 && leader.lease() >= 1_000 * MILLISECOND) {
            world.tally.measured("bids for one vacancy", world.tally.of("bids") - before, 10.0 * world.logsUp());
        }
    }

    /** The first member that bids, or claims, dies as soon as its record arrives. */
    private void crashOfTwo(SimulatedMember leader, boolean claimed) {
        long lease = leader.lease();
        world.crashes(leader);
        if (claimed) {
            world.onClaim = this::dies;
        } else {
            world.onBid = this::dies;
        }
        double cost = untilLed();
        double its = claimed ? Math.max(1.02 * lease, 0.76 * lease + 1.02 * diedLater) : 1.2 * lease;
        // If there are several logs, two candidates may hold one each and wait for the third.
        its += world.conditions.quorum() > 1 ? world.conditions.longestLease() / 4.0 : 0;
        String what =
                claimed ? "leases a crash of leader and claimant costs" : "leases a crash of leader and bidder costs";
        world.tally.measured(what, cost / lease, (its + ROUND_TRIPS) / lease);
    }

    private void isCutOff(SimulatedMember leader) {
        world.note(leader.id, "is cut off from the log", -1, "");
        for (Reach each : leader.reach) {
            each.cannotRead = true;
            each.cannotWrite = true;
        }
    }

    /** Another member sends heartbeats in the dead leader's term. That must not keep anybody from following. */
    private void ghostBeats(int partition, long interval, int count) {
        SimulatedLog log = world.logs.get(partition);
        long term = log.before(log.end()).term();
        MemberId ghost = new MemberId("ghost", chance.uuid());
        for (int i = 1; i <= count; i++) {
            world.timeline.after(
                    i * interval,
                    () -> log.append(Records.heartbeat(
                            ghost, 1, Duration.ofNanos(4 * interval), world.groupConfig.of(0), term, true, term)));
        }
    }

    /** The claimant is paused before it leads: it resigns, so the others need not wait for its lease. */
    private void crashAndPause(SimulatedMember leader) {
        long lease = leader.lease();
        world.crashes(leader);
        world.onClaim = (who, partition) -> strikesFirst(who, member -> member.stepsDown(true));
        double cost = untilLed();
        // In another log, its bid may be first, and lapses half a lease after the start of the silence.
        double alone = world.conditions.quorum() > 1 ? 1.11 * lease : 1.02 * lease;
        double its = Math.max(alone, 0.76 * lease + 0.5 * diedLater);
        world.tally.measured(
                "leases a crash of the leader and a pause of the claimant cost",
                cost / lease,
                (its + ROUND_TRIPS + 30 * MILLISECOND) / lease);
    }

    private void dies(MemberId who, int partition) {
        if (partition == 0) {
            strikesFirst(who, world::crashes);
        }
    }

    /** Only the first member that claims or bids becomes a victim. */
    private void strikesFirst(MemberId who, Consumer<SimulatedMember> what) {
        if (!hasVictim) {
            world.members.stream()
                    .filter(member -> member.id.equals(who))
                    .findFirst()
                    .ifPresent(victim -> {
                        hasVictim = true;
                        diedLater = victim.lease();
                        what.accept(victim);
                    });
        }
    }

    private void leaves(SimulatedMember leader) {
        int partitions = leader.leads();
        long claims = world.tally.of("claims");
        long left = world.timeline.now();
        if (chance.happens(0.5)) {
            world.join(true); // does not know yet whether earlier leases last
            world.waits(chance.between(15 * MILLISECOND, 60 * MILLISECOND));
        }
        @Nullable SimulatedMember successor = chance.happens(0.3) ? successorOf(leader) : null;
        if (successor != null) {
            world.crashes(successor);
        }
        switch ((int) chance.between(0, 6)) {
            case 0 -> leader.closes();
            case 1 -> leader.resigns(10 * leader.lease());
            case 2 -> leader.stepsDown(true);
            case 3 -> leader.isCandidate(false);
            case 4 -> leader.resigns(0, 10 * leader.lease());
            default -> leader.stepsDown(0, true);
        }
        world.waits(MILLISECOND);
        untilLed();
        if (successor == null) {
            world.tally.measured("ms a graceful departure costs", worstGap(left) / MILLISECOND, CLAIM / MILLISECOND);
        } else {
            // The group may have made it the owner before noticing its death. If a log is down, and two candidates hold
            // one each of the others, both release theirs to the old leader, which could not resign in that log.
            MemberHash dead = successor.id.hash();
            boolean isOwner = world.members.stream().anyMatch(member -> dead.equals(member.ownerOf(0)));
            boolean isSplit =
                    world.logsUp() < world.conditions.quorum() && world.tally.of("claims") - claims > world.logsUp();
            double headStart = isOwner || isSplit ? leader.lease() / 2.0 : invitation(leader.lease());
            world.tally.measured(
                    "leases a graceful departure costs if the successor is dead",
                    worstGap(left) / leader.lease(),
                    (ROUND_TRIPS + headStart) / leader.lease());
        }
        requireClaims(claims, partitions);
        Violation.unless(world.tally.of("fenced") == 0, "one that leaves was fenced");
    }

    /** The successor that it would name; null if none, or if that one leads another partition. */
    private @Nullable SimulatedMember successorOf(SimulatedMember leader) {
        MemberPlan plan = leader.state.plan();
        if (plan == null || plan.shares().isEmpty()) {
            return null;
        }
        MemberHash deputy = plan.shares().get(0).deputy();
        return world.members.stream()
                .filter(member -> member.id.hash().equals(deputy) && !member.leadsAny() && member != leader)
                .findFirst()
                .orElse(null);
    }

    private double worstGap(long left) {
        return world.partitions()
                .filter(partition -> resignedAt(partition, left) > 0)
                .mapToDouble(partition -> world.ledSince[partition] - resignedAt(partition, left))
                .max()
                .orElse(0);
    }

    /** When a majority of the logs was resigned; 0 if never. */
    private long resignedAt(int partition, long left) {
        List<Long> all = world.logsOf(partition).stream()
                .map(log -> log.resignedAt)
                .filter(at -> at >= (world.conditions.quorum() > 1 ? left : 1))
                .sorted()
                .toList();
        int last = world.conditions.quorum() / 2;
        return all.size() > last ? all.get(last) : 0;
    }

    /** Waits until all partitions are led, and a while longer. Returns how long they were not. */
    private double untilLed() {
        long from = world.timeline.now();
        while (!world.everyPartitionHasOneLeader()) {
            Violation.unless(world.timeline.now() <= from + 12 * lease, "after a departure nobody leads");
            world.waits(MILLISECOND);
        }
        long led = world.timeline.now();
        world.timeline.runUntil(led + 2 * lease);
        boolean isLed = world.conditions.partitions() > 1 || world.everyPartitionHasOneLeader();
        Violation.unless(isLed, "after a departure nobody leads for long");
        return led - from;
    }

    private void requireClaims(long before, int partitions) {
        long claims = world.tally.of("claims") - before;
        boolean split = world.conditions.quorum() > 1 && claims <= 3L * world.logsUp();
        boolean each = claims == partitions || split || world.conditions.partitions() > 1;
        Violation.unless(each, "one departure, " + claims + " claims");
    }
}
