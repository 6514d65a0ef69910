package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Term;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** Causes failures, one after another, until the world becomes calm and stays so. */
final class Faults extends Events {

    private final MemberId ghost;
    private final LogFaults logFaults;
    private final QuorumLogFaults quorumLogFaults;

    Faults(World world) {
        super(world);
        this.ghost = new MemberId("ghost", chance.uuid());
        this.logFaults = new LogFaults(world, ghost);
        this.quorumLogFaults = new QuorumLogFaults(world);
    }

    void run() {
        world.isDisturbed(true);
        for (long left = world.conditions.isCrowd() ? world.conditions.members() : chance.oneOf(2L, 3L, 5L);
                left > 0;
                left--) {
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
        new Rest(world).settle();
    }

    /** Repairs everything that can be repaired. */
    private void end() {
        world.isDisturbed(false);
        // A newer member that cannot read or write would keep the older ones from leading for just as long.
        boolean rolledBack = world.conditions.oneStaysCutOff() || chance.happens(0.5);
        List.copyOf(world.members).stream()
                .filter(member -> mayLeadAsStranger(member) || (rolledBack && World.isNewer(member.id)))
                .forEach(world::crashes);
        world.group.heals();
        world.logs.forEach(SimulatedLog::stallsNoMore);
        for (SimulatedMember member : world.members) {
            Stream.of(member.reach).forEach(Reach::reachesNewest);
        }
        for (SimulatedMember member : List.copyOf(world.members)) {
            member.continues();
            if (mayLeadAsStranger(member)) { // it became a candidate while it was paused
                world.crashes(member);
                continue;
            }
            member.endsItsWork();
            for (Reach each : member.reach) {
                each.losesNextBid = chance.happens(0.3);
            }
            if (member.isPausedByApplication() && !chance.happens(0.2)) {
                member.stepsDown(false);
            }
            for (int partition = 0; partition < member.leading.length; partition++) {
                // A member of a newer version that leads a partition keeps the others from leading any.
                if (chance.happens(0.5) || World.isNewer(member.id)) {
                    member.stepsDown(partition, false);
                }
            }
            if (member.formerCandidate && !chance.happens(0.2)) {
                member.isCandidate(true);
            }
        }
        if (world.conditions.quorum() > 1 && world.conditions.oneStaysCutOff()) {
            quorumLogFaults.remain(world.members);
            world.joinWithAllRoles();
        } else if (world.conditions.oneStaysCutOff() && !world.members.isEmpty()) {
            SimulatedMember cut = chance.oneOf(world.members);
            logFaults.cutsOff(cut, leases(1000));
            world.joinWithAllRoles();
        }
        if (!all().stream().allMatch(partition -> world.members.stream().anyMatch(each -> each.mayLead(partition)))
                && !(world.roles && world.members.stream().anyMatch(each -> each.mayLead(0)))) {
            world.join(true);
        }
    }

    private boolean mayLeadAsStranger(SimulatedMember member) {
        return world.isStranger(member) && (member.isCandidate() || member.formerCandidate);
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
        if (world.conditions.quorum() > 1 && chance.happens(0.5) && quorumLogFaults.strike(victim)) {
            return;
        }
        double what = chance.share();
        if (what < 0.11) {
            world.crashes(victim);
            joinLater();
        } else if (what < 0.2) {
            victim.closes();
            joinLater();
        } else if (what < 0.26) {
            join();
        } else if (what < 0.39) {
            pause(victim);
        } else if (what < 0.44) {
            world.note(victim.id, "is cut off from the group", -1, "");
            world.group.cutsOff(victim);
        } else if (what < 0.47) {
            world.note("group", "is down", -1, "");
            world.group.isDownFor(leases(1, 3, 8));
        } else if (what < 0.53) {
            victim.resigns(chance.happens(0.5) ? partitionOf(victim) : null, leases(0.2, 1, 2));
        } else if (what < 0.57) {
            Integer partition = chance.happens(0.6) ? partitionOf(victim) : null;
            victim.stepsDown(partition, true);
            if (partition == null || chance.happens(0.5)) {
                world.timeline.after(leases(0.1, 0.5, 2), () -> victim.stepsDown(partition, false));
            }
        } else if (what < 0.6) {
            victim.isCandidate(false);
            world.timeline.after(leases(0.1, 0.5, 2), () -> victim.isCandidate(true));
        } else if (what < 0.66) {
            disturbClock(victim);
        } else {
            logFaults.strike(victim);
        }
    }

    private int partitionOf(SimulatedMember victim) {
        return (int) chance.between(0, victim.leading.length);
    }

    /** Restarts one member after another, with the new lease. */
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
        if (world.members.size() < world.conditions.members() && world.isDisturbed()) {
            double what = chance.share();
            if (what < 0.06) {
                world.joinStranger(chance.happens(0.5));
            } else if (what < 0.09) {
                world.joinNewer(chance.oneOf(world.conditions.leases()));
            } else if (what < 0.18 && world.conditions.quorum() > 1 && world.conditions.partitions() == 1) {
                world.joinWithOtherQuorum(chance.happens(0.8));
            } else {
                world.join(chance.happens(0.85));
            }
        }
    }

    private void joinLater() {
        world.timeline.after(chance.oneOf(5L, 300L, 2000L) * MILLISECOND, this::join);
    }

    /** A garbage collection, a SIGSTOP or a busy host; or the whole machine is suspended. */
    private void pause(SimulatedMember victim) {
        if (world.conditions.clocks() == Conditions.Clocks.SUSPENSIONS && !victim.isPaused() && chance.happens(0.5)) {
            victim.clock.suspend();
        }
        victim.pauses(leases(0.1, 0.6, 0.95, 1.2, 3, 6));
    }

    private void disturbClock(SimulatedMember victim) {
        if (world.conditions.clocks() == Conditions.Clocks.WALL_CLOCK_JUMPS) {
            long by = chance.happens(0.3)
                    ? chance.oneOf(-10L, -2L, 2L, 10L) * 60_000 * MILLISECOND
                    : leases(-20, -1, -0.4, 0.4, 1, 20);
            world.note(victim.id, "has its wall clock set by", -1, Duration.ofNanos(by));
            victim.clock.shiftWall(by);
            victim.wake();
        }
    }

    private void makeUpAssignments() {
        for (SimulatedMember member : List.copyOf(world.members)) {
            if (!member.isPaused() && chance.happens(0.6)) {
                List<MemberPlan.Share> shares = new ArrayList<>();
                for (int partition = 0; partition < world.conditions.partitions(); partition++) {
                    shares.add(makeUpShare(member.token(partition)));
                }
                member.assigned(new MemberPlan(
                        world.groupConfig.fingerprint(), 1, chance.happens(0.5), Set.of(), all(), shares));
            }
        }
    }

    private Set<Integer> all() {
        return world.partitions().boxed().collect(Collectors.toSet());
    }

    private MemberPlan.Share makeUpShare(long token) {
        MemberId owner = chance.happens(0.2) ? null : chance.happens(0.2) ? ghost : victim().id;
        return new MemberPlan.Share(
                owner == null ? null : owner.hash(),
                token == Term.NONE || chance.happens(0.3) ? null : token,
                chance.happens(0.5) ? null : victim().id.hash());
    }
}
