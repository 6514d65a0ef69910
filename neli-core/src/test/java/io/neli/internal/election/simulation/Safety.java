package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.Violation;

/**
 * At most one leads, nobody leads next to one whose work is ending, and tokens grow. Members with another quorum are
 * another group, which only shares some logs: each of those has one holder still.
 */
final class Safety {

    /** A term that was led, and the epochs in which its holder read the logs. */
    private record Acquired(long token, long at, int[] epochs) {}

    private final World world;
    private final List<List<Acquired>> acquired = new ArrayList<>();
    /**
     * Where members may lead side by side, one may lead before it reads that it is superseded: tokens are only
     * distinct.
     */
    private boolean nonExclusive;

    Safety(World world) {
        this.world = world;
        for (int partition = 0; partition <= world.conditions.partitions(); partition++) {
            acquired.add(new ArrayList<>());
        }
    }

    /**
     * Tokens grow in the order of time, also when a log is lost; a larger one than any before the claim was read back.
     */
    void acquired(SimulatedMember member, int partition, long token) {
        nonExclusive |= member.isNonExclusive();
        for (Acquired earlier : acquired.get(partition)) {
            boolean grows = nonExclusive ? token != earlier.token() : token > earlier.token();
            boolean ofTwins = token == earlier.token() && world.mayHaveTwins(); // by the same claim
            if (!grows && !ofTwins && !isExcused(earlier, member, partition)) {
                throw new Violation(member.id + " acquires with token " + token + " after " + earlier.token());
            }
        }
        int[] epochs = world.logsOf(partition).stream()
                .mapToInt(log -> member.reach[world.number(log.id())].epoch)
                .toArray();
        acquired.get(partition).add(new Acquired(token, world.timeline.now(), epochs));
        requireReadBack(member, partition, token);
        for (SimulatedLog log : world.logsOf(partition)) {
            int number = world.number(log.id());
            if (member.holdsLog(number) && member.reach[number].newerUntil > world.timeline.now()) {
                throw new Violation(member.id + " leads while a lease may last that a newer version has granted");
            }
        }
    }

    /** A term may be out of order where that is excused on a majority of the logs. */
    private boolean isExcused(Acquired earlier, SimulatedMember member, int partition) {
        long excusing = world.logsOf(partition).stream()
                .filter(log -> isExcused(earlier, log, member.reach[world.number(log.id())]))
                .count();
        return excusing >= member.majority();
    }

    /**
     * A clock that was set may count for a newcomer that knows of no token, as records were lost or are too far back.
     * After a loss, a claim may have been under way for long, and a reader may not have noticed yet.
     */
    private boolean isExcused(Acquired earlier, SimulatedLog log, Reach reach) {
        if (reach.epoch != log.epoch()) {
            return earlier.epochs()[log.id().log()] != reach.epoch;
        }
        boolean unknown = clocksAreSet() && reach.tokenBeforeClaim < earlier.token();
        boolean underWay = reach.claimSentAt <= earlier.at();
        boolean lost = log.hasLostSince(earlier.at());
        return lost && underWay || (lost || mayMissTokens()) && unknown;
    }

    /**
     * On a majority of the logs it has read back, as holder, a record with its token, larger than all before its claim.
     */
    private void requireReadBack(SimulatedMember member, int partition, long token) {
        StringBuilder missing = new StringBuilder();
        int readBack = 0;
        for (SimulatedLog log : world.logsOf(partition)) {
            String wrong = notReadBack(member, log, token);
            readBack += wrong.isEmpty() ? 1 : 0;
            missing.append(wrong);
        }
        if (readBack < member.majority()) {
            throw new Violation(member.id + " leads with token " + token + missing);
        }
    }

    private String notReadBack(SimulatedMember member, SimulatedLog log, long token) {
        int number = world.number(log.id());
        Reach reach = member.reach[number];
        if (!member.holdsLog(number)) {
            return ", and does not hold " + log.id();
        }
        if (token > reach.ownTokenRead) { // less if an old claim of its own came once more
            return ", and read back " + reach.ownTokenRead;
        }
        if (token <= reach.tokenBeforeClaim) {
            return ", and read " + reach.tokenBeforeClaim;
        }
        int claim = (int) member.term(number);
        boolean isKnown = !mayMissTokens() && !log.hasLostSince(0);
        // The claims to several logs have one token: one that was lost and claimed again may hold a later one that
        // nobody reads.
        boolean byClock = !clocksAreSet() && (world.conditions.quorum() == 1 || !log.hasLostSince(0));
        boolean isWhole = reach.epoch == log.epoch() && (isKnown || byClock);
        long before = isWhole ? log.before(claim).largestToken() : 0;
        return isWhole && token <= before ? " after " + before : "";
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

    /** Each log has one holder, too, whether or not that one leads. */
    private void check(SimulatedLog log) {
        int number = world.number(log.id());
        SimulatedMember holder = null;
        for (int i = 0; i < world.members.size(); i++) {
            SimulatedMember member = world.members.get(i);
            if (!member.isNonExclusive() && member.holdsLog(number) && log.isInstance(member.reach[number].epoch)) {
                if (holder != null
                        && !areTwins(holder, member)
                        && !log.hasLostWithin(world.conditions.longestLease() * 101 / 100)) {
                    throw new Violation("two holders of " + log.id() + ": " + holder.id + " and " + member.id);
                }
                holder = member;
            }
        }
    }

    /**
     * While one of them is suspended, the other leads on, or resigns for both: the one that is suspended does not work.
     */
    private boolean areTwins(SimulatedMember one, SimulatedMember other) {
        return world.mayHaveTwins() || (world.hasHadTwins() && (one.isPaused() || other.isPaused()));
    }

    /** A loss on one log excuses nothing where others hold: only losses on a majority of the logs within a lease do. */
    private boolean excused(int partition, SimulatedMember one, SimulatedMember other) {
        if (areTwins(one, other)) {
            world.tally.count("twins that both lead");
            return true;
        }
        long excusing = world.logsOf(partition).stream()
                .filter(log -> {
                    int number = world.number(log.id());
                    return log.excuses(one.reach[number].termEpoch, other.reach[number].termEpoch);
                })
                .count();
        return excusing >= one.majority();
    }

    /**
     * In non-exclusive mode a superseded leader may go on for a lease; then its work may still end. Of several logs, it
     * may take one from the newer leader before it reads of it, and so hold a majority once more.
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
