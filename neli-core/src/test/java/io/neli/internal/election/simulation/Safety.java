package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.Term;

/** At most one leads, nobody leads next to one whose work is ending, and tokens grow. */
final class Safety {

    /** The tokens of one partition that were acquired in the newest epoch, and in the one before. */
    private static final class Tokens {
        int epoch;
        List<Acquired> before = List.of();
        List<Acquired> acquired = new ArrayList<>();
    }

    private record Acquired(long term, long token) {}

    private final World world;
    /** Where members may lead side by side, one may lead before it reads that it is superseded: tokens are only distinct. */
    private boolean nonExclusive;

    private final List<Tokens> tokens = new ArrayList<>();

    Safety(World world) {
        this.world = world;
        world.logs.forEach(log -> tokens.add(new Tokens()));
    }

    void acquired(SimulatedMember member, int partition, long token) {
        SimulatedLog log = world.logs.get(partition);
        Tokens known = tokens.get(partition);
        while (known.epoch < log.epoch()) {
            known.epoch++;
            known.before = known.acquired;
            known.acquired = new ArrayList<>(known.before);
            known.acquired.removeIf(each -> each.term() >= log.kept());
        }
        int epoch = member.reach[partition].epoch;
        if (epoch < known.epoch - 1) {
            return;
        }
        List<Acquired> same = epoch == known.epoch ? known.acquired : known.before;
        long last = same.isEmpty() ? Term.NONE : same.get(same.size() - 1).token();
        nonExclusive |= member.isNonExclusive();
        if (nonExclusive ? same.stream().anyMatch(each -> each.token() == token) : token <= last) {
            throw new SimulationFailure(member.id + " acquires with token " + token + " after " + last);
        }
        same.add(new Acquired(member.term(partition), token));
    }

    void check(int partition) {
        SimulatedMember holder = null;
        for (int i = 0; i < world.members.size(); i++) {
            SimulatedMember member = world.members.get(i);
            if (member.holds(partition)) {
                if (holder != null && overlaps(partition, holder, member) && !excused(partition, holder, member)) {
                    throw new SimulationFailure("two leaders: " + holder.id + " and " + member.id);
                }
                holder = member;
            }
        }
    }

    private boolean excused(int partition, SimulatedMember one, SimulatedMember other) {
        return world.logs.get(partition).excuses(one.reach[partition].termEpoch, other.reach[partition].termEpoch);
    }

    /** In non-exclusive mode a superseded leader may go on for a lease; then its work may still end. */
    private boolean overlaps(int partition, SimulatedMember one, SimulatedMember other) {
        if (!one.isNonExclusive() && !other.isNonExclusive()) {
            return true;
        }
        if (!one.isLeader(partition) || !other.isLeader(partition)) {
            return false;
        }
        boolean oneIsOlder = one.reach[partition].token < other.reach[partition].token;
        SimulatedMember older = oneIsOlder ? one : other;
        SimulatedMember newer = oneIsOlder ? other : one;
        return world.timeline.now() > newer.reach[partition].leadsSince + older.lease() * 101 / 100;
    }
}
