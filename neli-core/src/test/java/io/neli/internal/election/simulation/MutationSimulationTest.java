package io.neli.internal.election.simulation;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.neli.internal.mutants.SourceMutant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the simulation detects broken rules: for each of these, some schedule must fail. The source is changed,
 * compiled in memory, and simulated instead of the original.
 */
class MutationSimulationTest {

    /** The number of schedules of its kind that a mutant may survive. */
    private static final int MOST_SCHEDULES = 5_000;

    /**
     * Rules that must never be removed. PIT and the fast tests cover all others: PIT changes single conditions and
     * calls, and most changes here are larger. Each mutant names its kind, after QUORUM if these schedules have several
     * logs, its class, the rule, and what is changed.
     */
    private static final List<Mutant> MUTANTS = SourceMutant.split(
                    """
            FAULTS HolderRules: a claimant waits for the others' bound
            - !context.isNonExclusive() && !context.hasReached(log.view.othersBound());
            + false;
            FAULTS LeaderRules: no resignation while work runs
            - if (context.partition.drained) {
            + if (context.partition.leadership == State.DRAINING) {
            FAULTS LogView: the latest claim wins
            - if (record instanceof LogRecord.Claim claim) {
            + if (record instanceof LogRecord.Claim claim) { \
            if (term != null && !resigned() && !now.hasReached(holderBound)) \
            { return Read.IGNORED; }
            FAULTS LogRules: the own lease runs from the sending
            - return Lease.from(sent,
            + return Lease.from(context.now,
            FAULTS HolderRules: only what was read back renews the own lease
            - log.heartbeatAt = nextBeat(context);
            + log.heartbeatAt = nextBeat(context); \
            log.renewed(Lease.from(context.now, context.settings.leaseDuration()), context.partition.token);
            FAULTS Lease: the wall clock may end a lease
            - now.time().compareTo(until) < 0 && now.wallMillis() < wallUntilMillis
            + now.time().compareTo(until) < 0
            LATECOMER Lease: the drift margin
            - return nanos + nanos / DRIFT_MARGIN_DIVISOR;
            + return nanos;
            FAULTS LogView: each effective record moves the holder's bound
            - if (!record.member().equals(self)) {
            + if (!record.member().equals(self) && holderBound.equals(MonotonicTime.PAST)) {
            FAULTS LogView: a superseded holder's bound is waited for
            - MonotonicTime.later(supersededBound, holderBound)
            + supersededBound
            LATECOMER LogView: the largest of the superseded bounds counts
            - MonotonicTime.later(supersededBound, holderBound)
            + holderBound
            FAULTS LogView: the start bound covers what was not read
            - hasUnreadLeases = true;
            + hasUnreadLeases = false;
            LATECOMER LogView: only one that had read up to the start answers
            - heartbeat.leading() && heartbeat.upTo() >= start
            + heartbeat.leading()
            FAULTS LogRules: a leader is fenced at a gap
            - endTerm(context, log, reason);
            + if (reason != FenceReason.LOG_GAP) { endTerm(context, log, reason); }
            FAULTS StandbyRules: a claim that was not read back is given up
            - MonotonicTime deadline = claim.at().time().plus(context.settings.leaseDuration());
            + MonotonicTime deadline = MonotonicTime.NEVER;
            FAULTS PartitionElection: a lease that is over is over for good
            - LeaderRules.endLapsedTerm(context);
            +
            FAULTS LeaderRules: a handover that timed out is not resigned
            - context.fence(FenceReason.HANDOVER_TIMED_OUT);
            + releaseAll(context); context.fence(FenceReason.HANDOVER_TIMED_OUT);
            FAULTS PartitionContext: the work of a fenced term ends before the next
            - return isEligible() && partition.fenceHistory.unfinished() == Term.NONE && !anyLog(this::hasConflict);
            + return isEligible() && !anyLog(this::hasConflict);
            FAULTS Bids: a bid that lapsed is written again
            - now, bidders, isFirst(self) ? null : own)
            + now, bidders, own)
            FAULTS TokenRules: a token is larger than those before
            - return Math.max(Math.max(context.largestToken(), known) + 1, context.now.wallMillis());
            + return context.now.wallMillis();
            FAULTS TokenRules: where tokens are gone, the wall clock counts
            - return Math.max(Math.max(context.largestToken(), known) + 1, context.now.wallMillis());
            + return Math.max(context.largestToken(), known) + 1;
            FAULTS LeaderRules: the token is read back
            - log.held && log.carries(partition.token))
            + log.held)
            FAULTS LogRules: a record of a newer version may grant a lease
            - view.readNewer(newer, now);
            +
            FAULTS LeaderRules: a leader hands over only to an owner that has bid
            - && context.isEnough(log -> log.held && log.bids.hasBid(owner));
            + && owner != null;
            FAULTS StandbyRules: only the successor is invited
            - return context.self.hash().equals(view.successor);
            + return view.successor != null;
            QUORUM_FAULTS GroupConfig: a leader holds a majority of the logs
            - return quorum / 2 + 1;
            + return 1;
            QUORUM_FAULTS LogState: a majority that was held log by log is none
            - return held && lease.holdsAt(now);
            + return held;
            QUORUM_FAULTS LeaderRules: the token is read back on a majority
            - !context.isEnough(log -> log.held && log.carries(partition.token))
            + !(context.isEnough(log -> log.held) \
            && context.anyLog(log -> log.held && log.carries(partition.token)))
            QUORUM_FAULTS LogState: the token that was read back is the one that is announced
            - return tokenRead == token && token > tokenBefore;
            + return tokenRead > tokenBefore;
            QUORUM_REPLACEMENT LogSetRules: a new group needs all logs
            - enough = complete ? context.settings.groupConfig().majority() : quorum;
            + enough = context.settings.groupConfig().majority();
            QUORUM_REPLACEMENT LogSetRules: the newest set of all logs counts
            - b.isNewerThan(a) ? b : a
            + a
            QUORUM_REPLACEMENT LogSetRules: a log gets its identity once the others know it
            - (named == context.freshId(log) && isKnownToOthers(context, log, own))
            + true
            QUORUM_REPLACEMENT LogView: a heartbeat tells of the log that its sender reads
            - return written.lastIndexOf(mark.lastRead()) >= 0;
            + return true;
            QUORUM_REPLACEMENT PartitionContext: no identity is used twice
            - self.mixed(opened, partition.token, place)
            + self.mixed(7, 7, place)
            QUORUM_OUTAGE LeaderRules: the loss of one log fences nobody
            - if (!context.partition.inTerm() || context.isEnough(log -> log.held)) {
            + if (!context.partition.inTerm() || context.logs().stream().allMatch(log -> log.held)) {
            QUORUM_FAULTS Consolidation: a member that reaches too few logs gives up those that it holds
            - if (context.isReached(log) && !context.isEnough(context::isReached)) {
            + if (log.number < 0) {
            ROLES PartitionConfig: another role keeps a member out
            - ? Conflict.ROLES : Conflict.GROUP_CONFIG;
            + ? Conflict.NONE : Conflict.GROUP_CONFIG;
            ROLES Election: another role keeps a member out of those after it
            - partition < otherRolesFrom ? Conflict.NONE
            + partition != otherRolesFrom ? Conflict.NONE
            ROLES PartitionConfig: another role does not keep a member out of those before it
            - ? Conflict.ROLES : Conflict.GROUP_CONFIG;
            + ? Conflict.GROUP_CONFIG : Conflict.GROUP_CONFIG;
            ROLES LogView: members of the same roles follow first
            - holderBound).plus(lease);
            + holderBound);
            ROLES LogView: another role is forgotten when its term is over
            - && !now.hasReached(followedUntil());
            + ;
            ROLES Assignor: the group assigns what any of its members knows
            - compatible.stream().mapToInt(MemberMetadata::partitions).max()
            + java.util.stream.IntStream.of(prevailing.partitions()).max()
            ROLES MemberMetadata: the group assigns a role to a member that knows it
            - return eligible && partition < partitions &&
            + return eligible &&
            """)
            .stream()
            .map(Mutant::of)
            .toList();

    /** So many mutants, the first ones, are detected within a few schedules. */
    private static final int QUICK = 2;

    /** Compiles only those of every build; the others must still match the source. */
    @Test
    void two_broken_rules_are_seen() {
        MUTANTS.forEach(mutant -> mutant.change().source());
        assertAllSeen(MUTANTS.subList(0, QUICK).stream());
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void each_broken_rule_is_seen() {
        assertAllSeen(MUTANTS.parallelStream());
    }

    private static void assertAllSeen(Stream<Mutant> mutants) {
        assertThat(mutants.filter(MutationSimulationTest::survives).toList())
                .as("not seen")
                .isEmpty();
    }

    private static boolean survives(Mutant mutant) {
        LongFunction<@Nullable String> simulation = mutant.change().simulate(SeedRun.class);
        return LongStream.iterate(0, seed -> seed + 1)
                .filter(seed -> Kind.of(seed) == mutant.kind() && Kind.hasSeveralLogs(seed) == mutant.severalLogs())
                .limit(MOST_SCHEDULES)
                .allMatch(seed -> simulation.apply(seed) == null);
    }

    /**
     * A broken rule.
     *
     * @param kind the kind of schedules that detect it
     * @param severalLogs whether these have several logs
     */
    private record Mutant(Kind kind, boolean severalLogs, SourceMutant change) {

        private static Mutant of(String text) {
            String schedules = text.substring(0, text.indexOf(' '));
            String kind = schedules.replace("QUORUM_", "");
            return new Mutant(
                    Kind.valueOf(kind),
                    !kind.equals(schedules),
                    SourceMutant.of("io.neli.internal.election", text.substring(schedules.length() + 1)));
        }
    }

    /** Runs one seed; returns why it failed, or null. */
    static final class SeedRun implements LongFunction<@Nullable String> {

        @Override
        public @Nullable String apply(long seed) {
            try {
                new Schedule(seed, null).run();
                return null;
            } catch (RuntimeException e) {
                return e.toString();
            }
        }
    }
}
