package io.neli.internal.election;

/** The rules for tokens. From a member's first claim on a partition until none is left, its claims share one token. */
final class TokenRules {

    private TokenRules() {}

    /** Larger than any token that this member knows. If all records are gone, only the wall clock counts. */
    private static long nextToken(PartitionContext context, long known) {
        return Math.max(Math.max(context.largestToken(), known) + 1, context.now.wallMillis());
    }

    /** What to propose in a claim: the token of its other claims, or a new one if the log has one as large. */
    static long tokenToClaim(PartitionContext context, LogState log) {
        PartitionState partition = context.partition;
        if (!partition.inTerm() && partition.token <= log.view.largestToken) {
            propose(context, nextToken(context, Term.NONE));
        }
        return partition.token;
    }

    /** This member's claim was read. If the log has a token as large before it, heartbeats must carry a larger one. */
    static void claimRead(PartitionContext context, long proposed, long tokenBefore, LogState log) {
        PartitionState partition = context.partition;
        if (partition.inTerm()) {
            return;
        }
        long token = Math.max(partition.token, proposed);
        boolean known = token <= tokenBefore || (partition.token == Term.NONE && isKnownElsewhere(context, token, log));
        if (known) {
            token = nextToken(context, Math.max(tokenBefore, token));
        }
        if (token != partition.token) {
            propose(context, token);
        }
    }

    private static boolean isKnownElsewhere(PartitionContext context, long token, LogState log) {
        return context.anyLog(each -> each != log && token <= each.view.largestToken);
    }

    private static void propose(PartitionContext context, long token) {
        context.partition.token = token;
        context.heartbeatNow();
    }

    /** If no claim is left, forgets the token, so that the next claim proposes a new one. */
    static void endIfOver(PartitionContext context) {
        boolean claims = context.anyLog(log -> log.isClaimed() || log.claim != null);
        if (!context.partition.inTerm() && !claims) {
            context.partition.end();
        }
    }
}
