package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;

/** At most one leads, nobody leads next to one whose work is ending, and tokens grow. */
final class Safety {

    /** A term that was led, in whatever epoch of the log. */
    private record Acquired(long token, long at, int epoch) {}

    private final World world;
    private final List<List<Acquired>> acquired = new ArrayList<>();
    /** Where members may lead side by side, one may lead before it reads that it is superseded: tokens are only distinct. */
    private boolean nonExclusive;

    Safety(World world) {
        this.world = world;
        world.logs.forEach(log -> acquired.add(new ArrayList<>()));
    }

    /** Tokens grow in the order of time, also when the log is lost; a larger one than any before the claim was read back. */
    void acquired(SimulatedMember member, int partition, long token) {
        SimulatedLog log = world.logs.get(partition);
        Reach reach = member.reach[partition];
        nonExclusive |= member.isNonExclusive();
        for (Acquired earlier : acquired.get(partition)) {
            boolean grows = nonExclusive ? token != earlier.token() : token > earlier.token();
            if (!grows && !isExcused(earlier, reach, log)) {
                throw new SimulationFailure(member.id + " acquires with token " + token + " after " + earlier.token());
            }
        }
        acquired.get(partition).add(new Acquired(token, world.timeline.now(), reach.epoch));
        requireReadBack(member, partition, token);
        if (reach.newerUntil > world.timeline.now()) {
            throw new SimulationFailure(member.id + " leads while a lease may last that a newer version has granted");
        }
    }

    /**
     * A clock that was set may count for a newcomer that knows of no token, as records were lost or are too far back. After a
     * loss, a claim may have been under way for long, and a reader may not have noticed yet.
     */
    private boolean isExcused(Acquired earlier, Reach reach, SimulatedLog log) {
        if (reach.epoch != log.epoch()) {
            return earlier.epoch() != reach.epoch;
        }
        boolean unknown = clocksAreSet() && reach.tokenBeforeClaim < earlier.token();
        boolean underWay = reach.claimSentAt <= earlier.at();
        boolean lost = log.hasLostSince(earlier.at());
        return lost && underWay || (lost || mayMissTokens()) && unknown;
    }

    private void requireReadBack(SimulatedMember member, int partition, long token) {
        SimulatedLog log = world.logs.get(partition);
        Reach reach = member.reach[partition];
        if (token > reach.ownTokenRead) { // less if an old claim of its own came once more
            throw new SimulationFailure(
                    member.id + " leads with token " + token + ", and read back " + reach.ownTokenRead);
        }
        if (token <= reach.tokenBeforeClaim) {
            throw new SimulationFailure(
                    member.id + " leads with token " + token + ", and read " + reach.tokenBeforeClaim);
        }
        int claim = (int) member.term(partition);
        boolean isKnown = !mayMissTokens() && !log.hasLostSince(0);
        boolean isWhole = reach.epoch == log.epoch() && (isKnown || !clocksAreSet());
        if (isWhole && token <= log.before(claim).largestToken()) {
            throw new SimulationFailure(member.id + " leads with token " + token + " after "
                    + log.before(claim).largestToken());
        }
    }

    /** Whether a newcomer may not read of a token, though no record was lost. */
    private boolean mayMissTokens() {
        return !world.conditions.goesBack();
    }

    private boolean clocksAreSet() {
        return world.conditions.clocks() == Conditions.Clocks.WALL_CLOCK_JUMPS;
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
