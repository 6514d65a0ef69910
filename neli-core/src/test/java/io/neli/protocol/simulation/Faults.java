package io.neli.protocol.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.protocol.Assignment;
import io.neli.protocol.Decoded;
import io.neli.protocol.IgnoredRecord;
import io.neli.protocol.LogRecord;
import io.neli.protocol.MemberId;
import io.neli.protocol.Term;

import static io.neli.protocol.simulation.Conditions.MILLISECOND;

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

    void until(long end) {
        long next = world.timeline.now() + leases(0.5, 1, 3, 6);
        while (next < end) {
            world.timeline.runUntil(next);
            strike();
            if (world.conditions.adversarial()) {
                makeUpAssignments();
            }
            world.check();
            next += leases(0.1, 0.4, 0.6, 1, 2, 6);
        }
        world.timeline.runUntil(end);
    }

    /** All that can be repaired is. */
    void end() {
        world.calmsDown();
        List.copyOf(world.members).stream().filter(world::isStranger).forEach(world::crashes);
        world.group.heals();
        List.copyOf(world.members).forEach(SimulatedMember::continues);
        if (world.conditions.oneStaysCutOff() && !world.members.isEmpty()) {
            SimulatedMember cut = chance.oneOf(world.members);
            cutFromLog(cut, leases(1000));
            world.join(true);
        }
        boolean nobodyCanLead = world.members.stream().noneMatch(m -> m.candidate && !m.isClosing());
        if (nobodyCanLead) {
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
        List<SimulatedMember> leaders =
                world.members.stream().filter(SimulatedMember::leadsAny).toList();
        return chance.oneOf(!leaders.isEmpty() && chance.happens(0.5) ? leaders : world.members);
    }

    private void strike() {
        SimulatedMember victim = victim();
        double what = chance.share();
        if (what < 0.14) {
            world.crashes(victim);
            joinLater();
        } else if (what < 0.24) {
            victim.closes();
            joinLater();
        } else if (what < 0.30) {
            join();
        } else if (what < 0.44) {
            pause(victim);
        } else if (what < 0.58) {
            cutFromLog(victim, leases(0.5, 1, 3, 8));
        } else if (what < 0.64) {
            world.note(victim.id, "is cut off from the group", -1, "");
            world.group.cutsOff(victim);
        } else if (what < 0.68) {
            world.note("group", "is down", -1, "");
            world.group.isDownFor(leases(1, 3, 8));
        } else if (what < 0.77) {
            victim.resigns(leases(0.2, 1, 2));
        } else if (what < 0.84) {
            victim.losesLog((int) chance.between(0, world.logs.size()));
        } else if (what < 0.92) {
            disturbClock(victim);
        } else if (world.conditions.forgeries()) {
            forge(victim);
        }
    }

    private void join() {
        if (world.members.size() < MOST_MEMBERS && world.isDisturbed()) {
            if (chance.happens(0.03)) {
                world.joinStranger();
            } else {
                world.join(chance.happens(0.85));
            }
        }
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
        SimulatedLog log = world.logs.get((int) chance.between(0, world.logs.size()));
        Duration its = Duration.ofNanos(chance.oneOf(world.conditions.leases()));
        long offset = chance.between(-2, log.end() + 3L);
        List<Decoded> choices = List.of(
                new Decoded.Unreadable(chance.oneOf(List.of(IgnoredRecord.values()))),
                new LogRecord.Claim(ghost, offset, its, world.agreement()),
                new LogRecord.Heartbeat(ghost, 1, its, offset, false, 0),
                new LogRecord.Heartbeat(ghost, 1, its, log.end() + 10L, true, log.end()),
                new LogRecord.Resign(ghost, offset),
                new LogRecord.Bid(ghost, victim.token((int) chance.between(0, world.logs.size()))),
                new LogRecord.Bid(victim.id, offset));
        log.append(chance.oneOf(choices));
    }

    private void makeUpAssignments() {
        for (SimulatedMember member : List.copyOf(world.members)) {
            if (!member.isPaused() && chance.happens(0.6)) {
                Map<Integer, Assignment.Share> shares = new HashMap<>();
                for (int partition = 0; partition < world.logs.size(); partition++) {
                    shares.put(partition, makeUpShare(member.token(partition)));
                }
                member.assigned(new Assignment(world.agreement(), Map.of(member.id, chance.happens(0.5)), shares));
            }
        }
    }

    private Assignment.Share makeUpShare(long token) {
        MemberId owner = chance.happens(0.2) ? null : chance.happens(0.2) ? ghost : victim().id;
        return new Assignment.Share(owner, token == Term.NONE || chance.happens(0.3) ? null : token);
    }
}
