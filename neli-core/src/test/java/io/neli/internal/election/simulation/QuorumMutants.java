package io.neli.internal.election.simulation;

import java.util.List;

/** The rules for several logs per partition, each with a change of the source that breaks it. */
final class QuorumMutants {

    private QuorumMutants() {}

    /** Not a section of the protocol of one log. */
    private static final int QUORUM = 0;

    static final List<Mutant> ALL = List.of(
            new Mutant(
                    QUORUM,
                    "a leader holds a majority of the logs",
                    "GroupConfig",
                    "return quorum / 2 + 1;",
                    "return 1;",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "it leads by the logs that it holds now",
                    "PartitionState",
                    "held += log.isHeldAt(now) ? 1 : 0;",
                    "held += log.ownTerm().isHeld() ? 1 : 0;",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "isLeader asks for a majority",
                    "PartitionState",
                    "return 2 * held > logs.size();",
                    "return held > 0;",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "what counts is a majority held at one instant, not records in it",
                    "LeaderRules",
                    "log.ownTerm.isHeld() && log.ownTerm.carries(token))",
                    "log.ownTerm.carries(token))",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "a majority that was held log by log is none",
                    "LogState",
                    "return ownTerm.isHeld() && ownTerm.lease().holdsAt(now);",
                    "return ownTerm.isHeld();",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "the token is read back on a majority",
                    "LeaderRules",
                    "!context.isMajority(log -> log.ownTerm.isHeld() && log.ownTerm.carries(token))",
                    "!(context.isMajority(log -> log.ownTerm.isHeld())\n                        && context.logs.stream().anyMatch(log -> log.ownTerm.isHeld() && log.ownTerm.carries(token)))",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "the token that was read back is the one that is announced",
                    "OwnTerm",
                    "return tokenRead == token && token > tokenBefore;",
                    "return tokenRead > tokenBefore;",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "the token is larger than all before the claims",
                    "LogRules",
                    "            context.partition.campaign.claimRead(token, before.largestToken(), context);\n            context.ownTerm =\n                    OwnTerm.claimed(offset, before.largestToken(), token,",
                    "            context.partition.campaign.claimRead(token, Term.NONE, context);\n            context.ownTerm =\n                    OwnTerm.claimed(offset, Term.NONE, token,",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "a lease that is seen in one log counts in all",
                    "PartitionElection",
                    "        context.shareLongestLease();\n",
                    "",
                    Kind.QUORUM_LOSS),
            new Mutant(
                    QUORUM,
                    "one empty log among others is no clean slate",
                    "PartitionContext",
                    "if (logs.stream().allMatch(each -> each.log != null && each.log.wasEmpty()) && (!mayLoseEnds() || isStart())) {\n            logs.forEach(each -> each.log = Objects.requireNonNull(each.log).withoutUnreadLeases());\n        }",
                    "logs.stream()\n                .filter(each -> each.log != null && each.log.wasEmpty())\n                .forEach(each -> each.log = Objects.requireNonNull(each.log).withoutUnreadLeases());",
                    Kind.QUORUM_LOSS),
            new Mutant(
                    QUORUM,
                    "one log that is held keeps nobody leading",
                    "LeaderRules",
                    "if (!context.leadership.leads() || context.isMajority(log -> log.ownTerm.isHeld())) {",
                    "if (!context.leadership.leads() || context.logs.stream().anyMatch(log -> log.ownTerm.isHeld())) {",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "the loss of one log fences nobody",
                    "LeaderRules",
                    "if (!context.leadership.leads() || context.isMajority(log -> log.ownTerm.isHeld())) {",
                    "if (!context.leadership.leads() || context.logs.stream().allMatch(log -> log.ownTerm.isHeld())) {",
                    Kind.QUORUM_OUTAGE),
            new Mutant(
                    QUORUM,
                    "whoever leads by another log suppresses bids",
                    "StandbyRules",
                    "MonotonicTime.later(restEndsAt(vacant), leaderSilentAt())",
                    "restEndsAt(vacant)",
                    Kind.QUORUM_OUTAGE),
            new Mutant(
                    QUORUM,
                    "one that leads bids for further logs",
                    "StandbyRules",
                    "return leads ? at : MonotonicTime",
                    "return leads ? MonotonicTime.NEVER : MonotonicTime",
                    Kind.QUORUM_OUTAGE),
            new Mutant(
                    QUORUM,
                    "one that holds too few logs yields",
                    "PartitionElection",
                    "        deadline = MonotonicTime.earlier(deadline, Consolidation.act(context));\n",
                    "",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "where all logs are held, candidates yield at once",
                    "Consolidation",
                    "(decided || context.hasReached(patienceUntil))",
                    "context.hasReached(patienceUntil)",
                    Kind.QUORUM_DEPARTURE),
            new Mutant(
                    QUORUM,
                    "candidates do not wait for ever",
                    "Consolidation",
                    "(decided || context.hasReached(patienceUntil))",
                    "decided",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "only a leader that is heard is followed",
                    "Consolidation",
                    "context.isLedByAnother(log) && !log.isSilentAt(context.now.time())",
                    "context.isLedByAnother(log)",
                    Kind.QUORUM_DEPARTURE),
            new Mutant(
                    QUORUM,
                    "an earlier leader may be about to resign",
                    "Consolidation",
                    "led.token() > context.leadership.token();",
                    "led.token() >= 0;",
                    Kind.QUORUM_DEPARTURE),
            new Mutant(
                    QUORUM,
                    "a candidate that is invited to a further log does not wait",
                    "StandbyRules",
                    "(context.hasReached(log.othersBound()) || context.partition.isCandidate())",
                    "context.hasReached(log.othersBound())",
                    Kind.QUORUM_DEPARTURE),
            new Mutant(
                    QUORUM,
                    "a member that reaches too few logs gives up those that it holds",
                    "Consolidation",
                    "if (log.isReached() && !context.isMajority(LogContext::isReached)) {",
                    "if (log.number() < 0) {",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "a log that does not answer is not reached",
                    "LogContext",
                    "return caughtUp() && !hasReached(reachedUntil());",
                    "return caughtUp();",
                    Kind.QUORUM_FAULTS),
            new Mutant(
                    QUORUM,
                    "what happens to several logs at once is read before anything is done",
                    "Election",
                    "        byPartition.forEach(builder::step);",
                    "        byPartition.forEach((partition, its) -> its.forEach((log, input) -> builder.step(partition, Map.of(log, input))));",
                    Kind.QUORUM_FAULTS));
}
