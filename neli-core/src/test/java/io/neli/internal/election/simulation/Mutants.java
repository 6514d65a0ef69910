package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.internal.mutants.SourceMutant;

/**
 * Rules that must never be removed, each with a source change that breaks it and that the simulation detects. PIT and
 * the fast tests cover all other rules: PIT changes single conditions and calls, and most changes here are larger.
 */
final class Mutants {

    private Mutants() {}

    /**
     * A broken rule.
     *
     * @param kind the kind of schedules that detect it
     */
    record Mutant(Kind kind, SourceMutant change) {

        Mutant(Kind kind, String rule, String file, String original, String broken) {
            this(kind, new SourceMutant("io.neli.internal.election", rule, file, original, broken));
        }
    }

    /** Broken rules that are detected within a few schedules. */
    static final List<Mutant> QUICK = List.of(
            new Mutant(
                    Kind.FAULTS,
                    "a claimant waits for the others' bound",
                    "HolderRules",
                    "!context.isNonExclusive() && !context.hasReached(log.view.othersBound());",
                    "false;"),
            new Mutant(
                    Kind.FAULTS,
                    "no resignation while work runs",
                    "LeaderRules",
                    "if (context.partition.drained) {",
                    "if (context.partition.leadership == State.DRAINING) {"));

    static final List<Mutant> OTHERS = List.of(
            new Mutant(
                    Kind.FAULTS,
                    "the latest claim wins",
                    "LogView",
                    "if (record instanceof LogRecord.Claim claim) {",
                    "if (record instanceof LogRecord.Claim claim) { if (term != null && !resigned() && !now.hasReached(holderBound)) { return Read.ignored(IgnoredRecord.STALE_BID); }"),
            new Mutant(
                    Kind.FAULTS,
                    "the own lease runs from the sending",
                    "LogRules",
                    "return Lease.from(sent,",
                    "return Lease.from(context.now,"),
            new Mutant(
                    Kind.FAULTS,
                    "only what was read back renews the own lease",
                    "HolderRules",
                    "log.heartbeatAt = nextBeat(context);",
                    "log.heartbeatAt = nextBeat(context); log.renewed(Lease.from(context.now, context.settings.leaseDuration()), context.partition.token);"),
            new Mutant(
                    Kind.FAULTS,
                    "the wall clock may end a lease",
                    "Lease",
                    "now.time().compareTo(until) < 0 && now.wallMillis() < wallUntilMillis",
                    "now.time().compareTo(until) < 0"),
            new Mutant(
                    Kind.LATECOMER,
                    "the drift margin",
                    "Lease",
                    "return nanos + nanos / DRIFT_MARGIN_DIVISOR;",
                    "return nanos;"),
            new Mutant(
                    Kind.FAULTS,
                    "each effective record moves the holder's bound",
                    "LogView",
                    "if (!record.member().equals(self)) {",
                    "if (!record.member().equals(self) && holderBound.equals(MonotonicTime.PAST)) {"),
            new Mutant(
                    Kind.FAULTS,
                    "a superseded holder's bound is waited for",
                    "LogView",
                    "MonotonicTime.later(supersededBound, holderBound)",
                    "supersededBound"),
            new Mutant(
                    Kind.LATECOMER,
                    "the largest of the superseded bounds counts",
                    "LogView",
                    "MonotonicTime.later(supersededBound, holderBound)",
                    "holderBound"),
            new Mutant(
                    Kind.FAULTS,
                    "the start bound covers what was not read",
                    "LogView",
                    "hasUnreadLeases = true;",
                    "hasUnreadLeases = false;"),
            new Mutant(
                    Kind.LATECOMER,
                    "only one that had read up to the start answers",
                    "LogView",
                    "heartbeat.leading() && heartbeat.upTo() >= start",
                    "heartbeat.leading()"),
            new Mutant(
                    Kind.FAULTS,
                    "a leader is fenced at a gap",
                    "LogRules",
                    "endTerm(context, log, FenceReason.LOG_GAP);",
                    ""),
            new Mutant(
                    Kind.FAULTS,
                    "a claim that was not read back is given up",
                    "StandbyRules",
                    "MonotonicTime deadline = claim.at().time().plus(context.settings.leaseDuration());",
                    "MonotonicTime deadline = MonotonicTime.NEVER;"),
            new Mutant(
                    Kind.FAULTS,
                    "a lease that is over is over for good",
                    "PartitionElection",
                    "LeaderRules.endLapsedTerm(context);",
                    ""),
            new Mutant(
                    Kind.FAULTS,
                    "a handover that timed out is not resigned",
                    "LeaderRules",
                    "context.fence(FenceReason.HANDOVER_TIMED_OUT);",
                    "releaseAll(context); context.fence(FenceReason.HANDOVER_TIMED_OUT);"),
            new Mutant(
                    Kind.FAULTS,
                    "the work of a fenced term ends before the next",
                    "PartitionContext",
                    "return isEligible() && partition.fenceHistory.unfinished() == Term.NONE && !anyLog(this::hasConflict);",
                    "return isEligible() && !anyLog(this::hasConflict);"),
            new Mutant(
                    Kind.FAULTS,
                    "a bid that lapsed is written again",
                    "Bids",
                    "now, bidders, isFirst(self) ? null : own)",
                    "now, bidders, own)"),
            new Mutant(
                    Kind.FAULTS,
                    "a token is larger than those before",
                    "TokenRules",
                    "return Math.max(Math.max(context.largestToken(), known) + 1, context.now.wallMillis());",
                    "return context.now.wallMillis();"),
            new Mutant(
                    Kind.FAULTS,
                    "where tokens are gone, the wall clock counts",
                    "TokenRules",
                    "return Math.max(Math.max(context.largestToken(), known) + 1, context.now.wallMillis());",
                    "return Math.max(context.largestToken(), known) + 1;"),
            new Mutant(
                    Kind.FAULTS,
                    "the token is read back",
                    "LeaderRules",
                    "log.isHeld() && log.carries(partition.token))",
                    "log.isHeld())"),
            new Mutant(
                    Kind.FAULTS,
                    "a record of a newer version may grant a lease",
                    "LogRules",
                    "view.readNewer(newer, now);",
                    ""),
            new Mutant(
                    Kind.FAULTS,
                    "a leader hands over only to an owner that has bid",
                    "LeaderRules",
                    "&& context.isEnough(log -> log.isHeld() && log.bids.hasBid(owner));",
                    "&& owner != null;"),
            new Mutant(
                    Kind.FAULTS,
                    "only the successor is invited",
                    "StandbyRules",
                    "return context.self.hash().equals(view.successor);",
                    "return view.successor != null;"),
            new Mutant(
                    Kind.QUORUM_FAULTS,
                    "a leader holds a majority of the logs",
                    "GroupConfig",
                    "return quorum / 2 + 1;",
                    "return 1;"),
            new Mutant(
                    Kind.QUORUM_FAULTS,
                    "a majority that was held log by log is none",
                    "LogState",
                    "return isHeld() && lease.holdsAt(now);",
                    "return isHeld();"),
            new Mutant(
                    Kind.QUORUM_FAULTS,
                    "the token is read back on a majority",
                    "LeaderRules",
                    "!context.isEnough(log -> log.isHeld() && log.carries(partition.token))",
                    "!(context.isEnough(LogState::isHeld) && context.anyLog(log -> log.isHeld() && log.carries(partition.token)))"),
            new Mutant(
                    Kind.QUORUM_FAULTS,
                    "the token that was read back is the one that is announced",
                    "LogState",
                    "return tokenRead == token && token > tokenBefore;",
                    "return tokenRead > tokenBefore;"),
            new Mutant(
                    Kind.QUORUM_REPLACEMENT,
                    "a new group needs all logs",
                    "LogSetRules",
                    "enough = complete ? context.settings.groupConfig().majority() : quorum;",
                    "enough = context.settings.groupConfig().majority();"),
            new Mutant(
                    Kind.QUORUM_REPLACEMENT,
                    "the newest set of all logs counts",
                    "LogSetRules",
                    "(newest == null || read.isNewerThan(newest))",
                    "(newest == null)"),
            new Mutant(
                    Kind.QUORUM_REPLACEMENT,
                    "a log gets its identity once the others know it",
                    "LogSetRules",
                    "(named == context.freshId(log) && isKnownToOthers(context, log, own))",
                    "true"),
            new Mutant(
                    Kind.QUORUM_REPLACEMENT,
                    "a heartbeat tells of the log that its sender reads",
                    "LogView",
                    "return written.contains(mark.lastRead());",
                    "return true;"),
            new Mutant(
                    Kind.QUORUM_REPLACEMENT,
                    "no identity is used twice",
                    "PartitionContext",
                    "self.mixed(opened, partition.token, place)",
                    "self.mixed(7, 7, place)"),
            new Mutant(
                    Kind.QUORUM_OUTAGE,
                    "the loss of one log fences nobody",
                    "LeaderRules",
                    "if (!context.partition.leads() || context.isEnough(LogState::isHeld)) {",
                    "if (!context.partition.leads() || context.logs().stream().allMatch(LogState::isHeld)) {"),
            new Mutant(
                    Kind.QUORUM_FAULTS,
                    "a member that reaches too few logs gives up those that it holds",
                    "Consolidation",
                    "if (context.isReached(log) && !context.isEnough(context::isReached)) {",
                    "if (log.number < 0) {"),
            new Mutant(
                    Kind.ROLES,
                    "another role keeps a member out",
                    "PartitionConfig",
                    "return Objects.equals(role, other.role) ? Conflict.NONE : Conflict.ROLES;",
                    "return Conflict.NONE;"),
            new Mutant(
                    Kind.ROLES,
                    "another role keeps a member out of those after it",
                    "Election",
                    "partition < otherRolesFrom ? Conflict.NONE",
                    "partition != otherRolesFrom ? Conflict.NONE"),
            new Mutant(
                    Kind.ROLES,
                    "another role does not keep a member out of those before it",
                    "PartitionConfig",
                    "return Objects.equals(role, other.role) ? Conflict.NONE : Conflict.ROLES;",
                    "return Objects.equals(role, other.role) ? Conflict.NONE : Conflict.GROUP_CONFIG;"),
            new Mutant(
                    Kind.ROLES,
                    "members of the same roles follow first",
                    "LogView",
                    "holderBound).plus(lease);",
                    "holderBound);"),
            new Mutant(
                    Kind.ROLES,
                    "another role is forgotten when its term is over",
                    "LogView",
                    "&& !now.hasReached(followedUntil());",
                    ";"),
            new Mutant(
                    Kind.ROLES,
                    "the group assigns what any of its members knows",
                    "Assignor",
                    "compatible.stream().mapToInt(MemberMetadata::partitions).max()",
                    "java.util.stream.IntStream.of(prevailing.partitions()).max()"),
            new Mutant(
                    Kind.ROLES,
                    "the group assigns a role to a member that knows it",
                    "MemberMetadata",
                    "return eligible && partition < partitions &&",
                    "return eligible &&"));
}
