package io.neli.internal.election.simulation;

import java.time.Duration;

import io.neli.internal.election.MemberId;
import io.neli.internal.election.Records;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * The leader leaves a calm world, once: somebody else leads soon, after one claim, and nothing else changes. A crash costs about
 * a lease, about 1.8 if the one that claims first dies too, and a graceful departure some round trips to the log.
 */
final class Departure {

    /** What records and their readers need in a calm world, several times over. */
    private static final double ROUND_TRIPS = 70 * MILLISECOND;

    private final World world;
    private final Chance chance;
    private @Nullable SimulatedMember victim;
    private long diedLater;

    Departure(World world) {
        this.world = world;
        this.chance = world.chance;
    }

    void run() {
        Settled.settle(world, 3L, 4L, 5L);
        @Nullable SimulatedMember stranger = null;
        boolean byTheLogAlone = false;
        if (chance.happens(0.3)) {
            byTheLogAlone = world.conditions.lookback() == 10_000;
            if (byTheLogAlone) {
                world.group.isDownFor(40 * world.conditions.longestLease());
            }
            stranger = world.joinStranger();
        }
        world.timeline.runUntil(world.timeline.now() + chance.between(0, world.conditions.longestLease()));
        if (stranger != null) {
            world.timeline.runUntil(world.timeline.now() + 3000 * MILLISECOND);
        }
        SimulatedMember leader = world.leader(0);
        if (leader == null) {
            throw new SimulationFailure("without faults a partition has no leader");
        }
        boolean one = world.conditions.partitions() == 1;
        double what = chance.share();
        if (byTheLogAlone) {
            crash(leader); // a resignation would end the other group configuration
        } else if (what < 0.3 && one) {
            crashOfTwo(leader, what < 0.2);
        } else if (what < 0.4 && one) {
            crashAndPause(leader);
        } else if (what < 0.6) {
            crash(leader);
        } else {
            leaves(leader);
        }
        if (stranger != null && world.members.contains(stranger) && stranger.leadsAny()) {
            throw new SimulationFailure("a stranger leads");
        }
    }

    private void crash(SimulatedMember leader) {
        int partitions = leader.leads();
        long claims = world.tally.of("claims");
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
    }

    /** The one that bids, or claims, first dies as soon as its record has arrived. */
    private void crashOfTwo(SimulatedMember leader, boolean claimed) {
        long lease = leader.lease();
        world.crashes(leader);
        if (claimed) {
            world.onClaim(this::dies);
        } else {
            world.onBid(this::dies);
        }
        double cost = untilLed();
        double its = claimed ? Math.max(1.02 * lease, 0.76 * lease + 1.02 * diedLater) : 1.2 * lease;
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

    /** Somebody else heartbeats in the dead leader's term, which keeps nobody from following it. */
    private void ghostBeats(int partition, long interval, int count) {
        SimulatedLog log = world.logs.get(partition);
        long term = log.before(log.end()).term();
        MemberId ghost = new MemberId("ghost", chance.uuid());
        for (int i = 1; i <= count; i++) {
            world.timeline.after(
                    i * interval,
                    () -> log.append(Records.heartbeat(
                            ghost, 1, Duration.ofNanos(4 * interval), world.groupConfig(), term, true, term)));
        }
    }

    /** The one that claims is paused before it leads: it resigns, and the others need not wait for its lease. */
    private void crashAndPause(SimulatedMember leader) {
        long lease = leader.lease();
        world.crashes(leader);
        world.onClaim((who, partition) -> {
            for (SimulatedMember member : world.members) {
                if (member.id.equals(who) && victim == null) {
                    victim = member;
                    diedLater = member.lease();
                    member.stepsDown(true);
                }
            }
        });
        double cost = untilLed();
        double its = Math.max(1.02 * lease, 0.76 * lease + 0.5 * diedLater);
        world.tally.measured(
                "leases a crash of the leader and a pause of the claimant cost",
                cost / lease,
                (its + ROUND_TRIPS + 30 * MILLISECOND) / lease);
    }

    private void dies(MemberId who, int partition) {
        if (victim == null && partition == 0) {
            for (SimulatedMember member : world.members) {
                if (member.id.equals(who)) {
                    victim = member;
                    diedLater = member.lease();
                }
            }
            if (victim != null) {
                world.crashes(victim);
            }
        }
    }

    private void leaves(SimulatedMember leader) {
        int partitions = leader.leads();
        long claims = world.tally.of("claims");
        if (chance.happens(0.5)) {
            world.join(true); // and does not know yet whether earlier leases last
            world.timeline.runUntil(world.timeline.now() + chance.between(15 * MILLISECOND, 60 * MILLISECOND));
        }
        switch ((int) chance.between(0, 3)) {
            case 0 -> leader.closes();
            case 1 -> leader.resigns(10 * leader.lease());
            default -> leader.stepsDown(true);
        }
        world.timeline.runUntil(world.timeline.now() + MILLISECOND);
        untilLed();
        world.tally.measured("ms a graceful departure costs", worstGap() / MILLISECOND, ROUND_TRIPS / MILLISECOND);
        requireClaims(claims, partitions);
        if (world.tally.fences() > 0) {
            throw new SimulationFailure("one that leaves was fenced");
        }
    }

    private double worstGap() {
        double worst = 0;
        for (int partition = 0; partition < world.conditions.partitions(); partition++) {
            SimulatedLog log = world.logs.get(partition);
            if (log.resignedAt() > 0) {
                worst = Math.max(worst, world.ledSince(partition) - log.resignedAt());
            }
        }
        return worst;
    }

    /** Waits until all is led, and a while longer; returns when it was. */
    private double untilLed() {
        long from = world.timeline.now();
        long lease = world.conditions.longestLease();
        while (!world.everyPartitionHasOneLeader()) {
            if (world.timeline.now() > from + 12 * lease) {
                throw new SimulationFailure("after a departure nobody leads");
            }
            world.timeline.runUntil(world.timeline.now() + MILLISECOND);
        }
        long led = world.timeline.now();
        world.timeline.runUntil(led + 2 * lease);
        if (world.conditions.partitions() == 1 && !world.everyPartitionHasOneLeader()) {
            throw new SimulationFailure("after a departure nobody leads for long");
        }
        return led - from;
    }

    private void requireClaims(long before, int partitions) {
        long claims = world.tally.of("claims") - before;
        if (claims != partitions && world.conditions.partitions() == 1) {
            throw new SimulationFailure("one departure, " + claims + " claims");
        }
    }
}
