package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.Violation;

/**
 * Checks that at most one member leads, that none leads while another's work is ending, and that tokens grow. Members
 * with another quorum are another group that shares some logs: each of these still has one holder.
 */
final class Safety {

    /** A term that was led, and the epochs of the logs that its holder read. */
    private record Acquired(long token, long at, int[] epochs) {}

    private final World world;
    private final List<List<Acquired>> acquired = new ArrayList<>();
    /**
     * If members may lead at the same time, one may lead before it reads that it is superseded: tokens need only
     * differ.
     */
    private boolean nonExclusive;

    Safety(World world) {
        this.world = world;
        for (int partition = 0; partition <= world.conditions.partitions(); partition++) {
            acquired.add(new ArrayList<>());
        }
    }

    /**
     * Checks that tokens grow over time, even if a log is lost, and that one larger than all before the claim was read
     * back.
     */
    void acquired(SimulatedMember member, int partition, long token) {
        nonExclusive |= member.isNonExclusive();
        for (Acquired earlier : acquired.get(partition)) {
            boolean grows = nonExclusive ? token != earlier.token() : token > earlier.token();
            boolean ofTwins = token == earlier.token() && world.mayHaveTwins(); // with the same claim
            if (!grows && !ofTwins && !isExcused(earlier, member, partition)) {
                throw new Violation(member.id + " acquires with token " + token + " after " + earlier.token());
            }
        }
        int[] epochs = world.logsOf(partition).stream()
                .mapToInt(log -> member.reach[world.number(log.id)].epoch)
                .toArray();
        acquired.get(partition).add(new Acquired(token, world.timeline.now(), epochs));
        requireReadBack(member, partition, token);
        for (SimulatedLog log : world.logsOf(partition)) {
            int number = world.number(log.id);
            if (member.holdsLog(number) && member.reach[number].newerUntil > world.timeline.now()) {
                throw new Violation(member.id + " leads while a lease may last that a newer version has granted");
            }
        }
    }

    /** A term may be out of order if a majority of the logs excuses that. */
    private boolean isExcused(Acquired earlier, SimulatedMember member, int partition) {
        long excusing = world.logsOf(partition).stream()
                .filter(log -> isExcused(earlier, log, member.reach[world.number(log.id)]))
                .count();
        return excusing >= member.majority();
    }

    /**
     * A newcomer that knows no token, because records were lost or are too far back, may rely on a clock that was set.
     * After a loss, a claim may have been under way for long, and a reader may not have noticed the loss yet.
     */
    private boolean isExcused(Acquired earlier, SimulatedLog log, Reach reach) {
        if (reach.epoch != log.epoch) {
            return earlier.epochs()[log.id.log()] != reach.epoch;
        }
        boolean unknown = clocksAreSet() && reach.tokenBeforeClaim < earlier.token();
        boolean underWay = reach.claimSentAt <= earlier.at();
        boolean lost = log.hasLostSince(earlier.at());
        return lost && underWay || (lost || mayMissTokens()) && unknown;
    }

    /** Requires that, as holder, it read back its token on a majority of the logs, larger than all before its claim. */
    private void requireReadBack(SimulatedMember member, int partition, long token) {
        List<String> wrong = world.logsOf(partition).stream()
                .map(log -> notReadBack(member, log, token))
                .filter(each -> !each.isEmpty())
                .toList();
        boolean isReadBack = world.conditions.quorum() - wrong.size() >= member.majority();
        Violation.unless(isReadBack, member.id + " leads with token " + token + ": " + wrong);
    }

    private String notReadBack(SimulatedMember member, SimulatedLog log, long token) {
        int number = world.number(log.id);
        Reach reach = member.reach[number];
        if (!member.holdsLog(number)) {
            return "does not hold " + log.id;
        }
        if (token > reach.ownTokenRead) { // smaller if an old copy of its claim was read
            return "read back " + reach.ownTokenRead;
        }
        if (token <= reach.tokenBeforeClaim) {
            return "read " + reach.tokenBeforeClaim;
        }
        int claim = (int) member.term(number);
        boolean isKnown = !mayMissTokens() && !log.hasLostSince(0);
        // Claims of several logs share one token, so one that was lost and claimed again may hold a later token that
        // nobody reads.
        boolean byClock = !clocksAreSet() && (world.conditions.quorum() == 1 || !log.hasLostSince(0));
        boolean isWhole = reach.epoch == log.epoch && (isKnown || byClock);
        long before = isWhole ? log.before(claim).largestToken() : 0;
        return isWhole && token <= before ? "after " + before : "";
    }

    /** Whether a newcomer may not read a token although no record was lost. */
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
            if (member.holds(partition) && !world.hasOtherQuorum(member)) {
                if (holder != null && overlaps(partition, holder, member) && !excused(partition, holder, member)) {
                    throw new Violation("two leaders: " + holder.id + " and " + member.id);
                }
                holder = member;
            }
        }
        if (world.conditions.quorum() > 1) {
            world.logsOf(partition).forEach(this::check);
        }
    }

    /** Checks that each log has one holder, whether or not that member leads. */
    private void check(SimulatedLog log) {
        int number = world.number(log.id);
        SimulatedMember holder = null;
        for (int i = 0; i < world.members.size(); i++) {
            SimulatedMember member = world.members.get(i);
            if (!member.isNonExclusive() && member.holdsLog(number) && log.isInstance(member.reach[number].epoch)) {
                if (holder != null
                        && !areTwins(holder, member)
                        && !log.hasLostWithin(world.conditions.longestLease() * 101 / 100)) {
                    throw new Violation("two holders of " + log.id + ": " + holder.id + " and " + member.id);
                }
                holder = member;
            }
        }
    }

    /** While one twin is suspended and does not work, the other continues to lead, or resigns for both. */
    private boolean areTwins(SimulatedMember one, SimulatedMember other) {
        return world.mayHaveTwins() || (world.hasHadTwins() && (one.isPaused() || other.isPaused()));
    }

    /** Only losses on a majority of the logs, within a lease, excuse two leaders. */
    private boolean excused(int partition, SimulatedMember one, SimulatedMember other) {
        if (areTwins(one, other)) {
            world.tally.count("twins that both lead");
            return true;
        }
        long excusing = world.logsOf(partition).stream()
                .filter(log -> {
                    int number = world.number(log.id);
                    return log.excuses(one.reach[number].termEpoch, other.reach[number].termEpoch);
                })
                .count();
        return excusing >= one.majority();
    }

    /**
     * In non-exclusive mode, a superseded leader may continue for a lease; then its work may still end. With several
     * logs, it may take one from the newer leader before it reads of that leader, and so regain a majority.
     */
    private boolean overlaps(int partition, SimulatedMember one, SimulatedMember other) {
        if (!one.isNonExclusive() && !other.isNonExclusive()) {
            return true;
        }
        if (!one.isLeader(partition) || !other.isLeader(partition)) {
            return false;
        }
        boolean oneIsOlder = one.leading[partition].token < other.leading[partition].token;
        SimulatedMember older = oneIsOlder ? one : other;
        SimulatedMember newer = oneIsOlder ? other : one;
        int leases = world.conditions.quorum() == 1 ? 1 : 2;
        return world.timeline.now() > newer.leading[partition].since + leases * older.lease() * 101 / 100;
    }
}
