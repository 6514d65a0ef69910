package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.Records;

/** Failures between members and the log, and of the log itself. */
final class LogFaults extends Events {

    private final MemberId ghost;

    LogFaults(World world, MemberId ghost) {
        super(world);
        this.ghost = ghost;
    }

    void strike(SimulatedMember victim) {
        double what = chance.share();
        if (what < 0.36) {
            cutsOff(victim, leases(0.5, 1, 3, 8));
        } else if (what < 0.54) {
            loseRecords(victim);
        } else if (what < 0.65) {
            losesClaims(victim);
        } else if (what < 0.76) {
            stalls();
        } else if (what < 0.87) {
            victim.reader.isRebuiltFor(leases(0.02, 0.2, 0.6, 2));
        } else if (world.conditions.forgeries()) {
            forge(victim);
        }
    }

    private int oneOfItsLogs() {
        return (int) chance.between(0, (long) world.conditions.partitions() * world.conditions.quorum());
    }

    void cutsOff(SimulatedMember victim, long duration) {
        boolean read = chance.happens(0.66);
        boolean write = !read || chance.happens(0.6);
        boolean all = chance.happens(0.5);
        int one = (int) chance.between(0, victim.reach.length);
        for (int number = 0; number < victim.reach.length; number++) {
            if (all || number == one) {
                victim.reach[number].cannotRead |= read;
                victim.reach[number].cannotWrite |= write;
            }
        }
        world.note(victim.id, "is cut off from the log", all ? -1 : one, "read " + read + " write " + write);
        reconnectsAfter(duration, victim);
    }

    private void loseRecords(SimulatedMember victim) {
        SimulatedLog log = world.logs.get(oneOfItsLogs());
        boolean cuts = world.conditions.cuts() && world.conditions.quorum() == 1; // otherwise, see QuorumLogFaults
        double what = cuts ? chance.share() : 0;
        if (what < 0.3) {
            losesLogs(victim);
        } else if (what < 0.6) {
            log.deletesOld();
        } else if (what < 0.8) {
            log.losesEnd((int) chance.between(1, 30));
        } else {
            world.logs.forEach(SimulatedLog::isCreatedAnew);
        }
    }

    /** One member loses one log or all of them; or all members lose one, and are told an end that is too high. */
    private void losesLogs(SimulatedMember victim) {
        if (chance.happens(0.3)) {
            int number = oneOfItsLogs();
            world.logs.get(number).saysTooHighAnEnd((int) chance.oneOf(1L, 50L), leases(0.5));
            List.copyOf(world.members).stream()
                    .filter(member -> number < member.reach.length)
                    .forEach(member -> member.reader.loses(List.of(number)));
        } else if (chance.happens(0.5)) {
            victim.reader.loses(List.of((int) chance.between(0, victim.reach.length)));
        } else {
            victim.reader.loses(IntStream.range(0, victim.reach.length).boxed().toList());
        }
    }

    /** One log, or all of them, can be written but not read. */
    private void stalls() {
        long duration = leases(0.3, 0.8, 1.5, 3);
        if (chance.happens(0.5)) {
            chance.oneOf(world.logs).stallsFor(duration);
        } else {
            world.logs.forEach(log -> log.stallsFor(duration));
        }
    }

    /** So an owner that requests a handover does not claim after it. */
    private void losesClaims(SimulatedMember victim) {
        world.note(victim.id, "loses its claims", -1, "");
        List<Reach> reach = List.of(victim.reach);
        reach.forEach(each -> each.losesClaims = true);
        world.timeline.after(leases(2, 8), () -> reach.forEach(each -> each.losesClaims = false));
    }

    /** Appends records that no member wrote. None is in the name of a holder: nothing protects from such a writer. */
    private void forge(SimulatedMember victim) {
        int number = oneOfItsLogs();
        SimulatedLog log = world.logs.get(number);
        Duration its = Duration.ofNanos(chance.oneOf(world.conditions.leases()));
        long offset = chance.between(-2, log.end() + 3L);
        if (chance.happens(0.2)) {
            long term = victim.term(number);
            for (long bidders = chance.oneOf(2L, 10L, 30L); bidders > 0; bidders--) {
                log.append(Records.bid(new MemberId("ghost" + bidders, chance.uuid()), term));
            }
            return;
        }
        PartitionConfig config = world.groupConfig.of(world.partitionOf(number));
        List<Decoded> choices = List.of(
                new Decoded.Unreadable(chance.happens(0.5)),
                Records.claim(ghost, offset, its, config),
                Records.heartbeat(ghost, 1, its, config, offset, false, 0),
                Records.heartbeat(ghost, 1, its, config, log.end() + 10L, true, log.end()),
                Records.heartbeat(ghost, Long.MAX_VALUE, its, config, Long.MAX_VALUE, true, Long.MAX_VALUE),
                Records.claim(ghost, Long.MAX_VALUE, its, config),
                Records.resign(ghost, Long.MAX_VALUE),
                Records.bid(ghost, Long.MAX_VALUE),
                new LogRecord.Hello(Records.bid(victim.id, 0).sender()),
                Records.resign(ghost, offset),
                Records.resign(ghost, log.before(log.end()).term()),
                Records.bid(ghost, victim.term(number)),
                Records.bid(ghost, victim.term(number)),
                Records.bid(victim.id, offset));
        log.append(chance.oneOf(choices));
    }
}
