package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.IgnoredRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Records;
import io.neli.internal.election.Term;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** What goes wrong, one thing after the other, until the world calms down. */
final class Faults {

    private static final int MOST_MEMBERS = 6;

    private final World world;
    private final Chance chance;
    private final long lease;
    private final MemberId ghost;

    Faults(World world) {
        this.world = world;
        this.chance = world.chance;
        this.lease = world.conditions.longestLease();
        this.ghost = new MemberId("ghost", chance.uuid());
    }

    void run() {
        world.isDisturbed(true);
        for (long left = chance.oneOf(2L, 3L, 5L); left > 0; left--) {
            long start = chance.oneOf(0L, 0L, 1L, 30L, 400L, 2000L) * MILLISECOND;
            world.timeline.at(start, () -> world.join(true));
        }
        long end = world.conditions.patience().faults() * lease;
        if (world.conditions.rolling()) {
            world.timeline.at(chance.between(lease, end), this::restartsNext);
        }
        long next = leases(0.5, 1, 3);
        while (next < end) {
            world.timeline.runUntil(next);
            strike();
            if (world.conditions.adversarial()) {
                makeUpAssignments();
            }
            world.check();
            next += leases(0.1, 0.1, 0.4, 0.6, 1, 2, 4);
        }
        world.timeline.runUntil(end);
        end();
    }

    /** All that can be repaired is. */
    private void end() {
        world.isDisturbed(false);
        List.copyOf(world.members).stream().filter(world::isStranger).forEach(world::crashes);
        world.group.heals();
        for (SimulatedMember member : List.copyOf(world.members)) {
            member.continues();
            member.endsItsWork();
            for (Reach each : member.reach) {
                each.losesNextBid = chance.happens(0.3);
            }
            if (member.isPausedByApplication() && !chance.happens(0.2)) {
                member.stepsDown(false);
            }
        }
        if (world.conditions.oneStaysCutOff() && !world.members.isEmpty()) {
            SimulatedMember cut = chance.oneOf(world.members);
            cutFromLog(cut, leases(1000));
            world.join(true);
        }
        if (world.members.stream().noneMatch(SimulatedMember::mayLead)) {
            world.join(true);
        }
    }

    private long leases(double... choices) {
        return (long) (chance.oneOf(choices) * lease);
    }

    private SimulatedMember victim() {
        if (world.members.isEmpty()) {
            world.join(true);
        }
        if (chance.happens(0.5)) {
            for (SimulatedMember member : world.members) {
                if (member.leadsAny()) {
                    return member;
                }
            }
        }
        return chance.oneOf(world.members);
    }

    private void strike() {
        SimulatedMember victim = victim();
        double what = chance.share();
        if (what < 0.12) {
            world.crashes(victim);
            joinLater();
        } else if (what < 0.21) {
            victim.closes();
            joinLater();
        } else if (what < 0.27) {
            join();
        } else if (what < 0.41) {
            pause(victim);
        } else if (what < 0.54) {
            cutFromLog(victim, leases(0.5, 1, 3, 8));
        } else if (what < 0.59) {
            world.note(victim.id, "is cut off from the group", -1, "");
            world.group.cutsOff(victim);
        } else if (what < 0.62) {
            world.note("group", "is down", -1, "");
            world.group.isDownFor(leases(1, 3, 8));
        } else if (what < 0.69) {
            victim.resigns(leases(0.2, 1, 2));
        } else if (what < 0.76) {
            victim.stepsDown(true);
            world.timeline.after(leases(0.1, 0.5, 2), () -> victim.stepsDown(false));
        } else if (what < 0.82) {
            loseRecords(victim);
        } else if (what < 0.86) {
            losesClaims(victim);
        } else if (what < 0.92) {
            disturbClock(victim);
        } else if (world.conditions.forgeries()) {
            forge(victim);
        }
    }

    /** One after the other, with the new lease. */
    private void restartsNext() {
        for (SimulatedMember member : List.copyOf(world.members)) {
            if (world.isDisturbed() && !member.isNew) {
                if (chance.happens(0.5)) {
                    world.crashes(member);
                } else {
                    member.closes();
                }
                world.timeline.after(leases(0, 0.2), world::joinWithNewLease);
                world.timeline.after(leases(0.2, 1, 2), this::restartsNext);
                return;
            }
        }
    }

    private void join() {
        if (world.members.size() < MOST_MEMBERS && world.isDisturbed()) {
            if (chance.happens(0.06)) {
                world.joinStranger();
            } else {
                world.join(chance.happens(0.85));
            }
        }
    }

    private void loseRecords(SimulatedMember victim) {
        int partition = (int) chance.between(0, world.conditions.partitions());
        SimulatedLog log = world.logs.get(partition);
        double what = world.conditions.cuts() ? chance.share() : 0;
        if (what < 0.3) {
            victim.losesLog((int) chance.between(0, victim.reach.length));
        } else if (what < 0.6) {
            log.deletesOld();
        } else if (what < 0.8) {
            log.losesEnd((int) chance.between(1, 30));
        } else {
            log.isCreatedAnew();
        }
    }

    /** So an owner that asks, and that the leader hands over to, does not take it up. */
    private void losesClaims(SimulatedMember victim) {
        world.note(victim.id, "loses its claims", -1, "");
        for (Reach each : victim.reach) {
            each.losesClaims = true;
        }
        world.timeline.after(leases(2, 8), () -> {
            for (Reach each : victim.reach) {
                each.losesClaims = false;
            }
        });
    }

    private void joinLater() {
        world.timeline.after(chance.oneOf(5L, 300L, 2000L) * MILLISECOND, this::join);
    }

    /** Garbage collection, SIGSTOP, a busy host; or the whole machine is suspended. */
    private void pause(SimulatedMember victim) {
        if (world.conditions.clocks() == Conditions.Clocks.SUSPENSIONS && !victim.isPaused() && chance.happens(0.5)) {
            victim.clock.suspend();
        }
        victim.pauses(leases(0.1, 0.6, 0.95, 1.2, 3, 6));
    }

    private void cutFromLog(SimulatedMember victim, long duration) {
        boolean read = chance.happens(0.66);
        boolean write = !read || chance.happens(0.6);
        boolean all = chance.happens(0.5);
        int one = (int) chance.between(0, victim.reach.length);
        for (int partition = 0; partition < victim.reach.length; partition++) {
            if (all || partition == one) {
                victim.reach[partition].cannotRead |= read;
                victim.reach[partition].cannotWrite |= write;
            }
        }
        world.note(victim.id, "is cut off from the log", all ? -1 : one, "read " + read + " write " + write);
        world.timeline.after(duration, () -> {
            if (world.isDisturbed() && victim.isAlive() && !victim.isPaused()) {
                victim.continues();
            }
        });
    }

    private void disturbClock(SimulatedMember victim) {
        if (world.conditions.clocks() == Conditions.Clocks.WALL_CLOCK_JUMPS) {
            long by = leases(-20, -1, -0.4, 0.4, 1, 20);
            world.note(victim.id, "has its wall clock set by", -1, Duration.ofNanos(by));
            victim.clock.shiftWall(by);
            victim.wake();
        }
    }

    /** Records that no member wrote. None speaks in the name of a holder: who may write to the topic can do anything. */
    private void forge(SimulatedMember victim) {
        int partition = (int) chance.between(0, world.conditions.partitions());
        SimulatedLog log = world.logs.get(partition);
        Duration its = Duration.ofNanos(chance.oneOf(world.conditions.leases()));
        long offset = chance.between(-2, log.end() + 3L);
        List<Decoded> choices = List.of(
                new Decoded.Unreadable(chance.oneOf(List.of(IgnoredRecord.values()))),
                Records.claim(ghost, offset, its, world.groupConfig()),
                Records.heartbeat(ghost, 1, its, world.groupConfig(), offset, false, 0),
                Records.heartbeat(ghost, 1, its, world.groupConfig(), log.end() + 10L, true, log.end()),
                Records.resign(ghost, offset),
                Records.resign(ghost, log.before(log.end()).term()),
                Records.bid(ghost, victim.term(partition)),
                Records.bid(ghost, victim.term(partition)),
                Records.bid(victim.id, offset));
        log.append(chance.oneOf(choices));
    }

    private void makeUpAssignments() {
        for (SimulatedMember member : List.copyOf(world.members)) {
            if (!member.isPaused() && chance.happens(0.6)) {
                List<MemberPlan.Share> shares = new ArrayList<>();
                for (int partition = 0; partition < world.conditions.partitions(); partition++) {
                    shares.add(makeUpShare(member.token(partition)));
                }
                member.assigned(
                        new MemberPlan(world.groupConfig().fingerprint(), 1, chance.happens(0.5), true, 0, shares));
            }
        }
    }

    private MemberPlan.Share makeUpShare(long token) {
        MemberId owner = chance.happens(0.2) ? null : chance.happens(0.2) ? ghost : victim().id;
        return new MemberPlan.Share(
                owner == null ? null : owner.hash(),
                token == Term.NONE || chance.happens(0.3) ? null : token,
                chance.happens(0.5) ? null : victim().id.hash());
    }
}
