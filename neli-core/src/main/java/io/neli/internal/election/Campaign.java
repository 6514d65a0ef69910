package io.neli.internal.election;

/** The claims of a member on a partition, from the first one until none is left: all of them propose one token. */
final class Campaign {

    private final PartitionContext context;

    Campaign(PartitionContext context) {
        this.context = context;
    }

    /** The largest token that this member knows, also of logs that are closed now. */
    long largestToken() {
        long largest = Term.NONE;
        for (LogContext each : context.logs) {
            largest = Math.max(largest, each.largestToken());
        }
        return largest;
    }

    /** Larger than any token that this member knows; where all records are gone, only the wall clock counts. */
    private long nextToken(long known) {
        return Math.max(Math.max(largestToken(), known) + 1, context.now.wallMillis());
    }

    /** What to propose in a claim: the token of its other claims, unless the log knows one as large. */
    long tokenToClaim(LogView log) {
        if (!context.leadership.leads() && context.leadership.token() <= log.largestToken()) {
            claiming(nextToken(Term.NONE));
        }
        return context.leadership.token();
    }

    /** A claim was read. Another may have come before it with a token as large: then heartbeats have to carry a larger one. */
    void claimRead(long proposed, long tokenBefore, LogContext log) {
        OwnLeadership leadership = context.leadership;
        if (leadership.leads()) {
            return;
        }
        long token = Math.max(leadership.token(), proposed);
        boolean known = token <= tokenBefore || (leadership.token() == Term.NONE && isKnownElsewhere(token, log));
        if (known) {
            token = nextToken(Math.max(tokenBefore, token));
        }
        if (token != leadership.token()) {
            claiming(token);
        }
    }

    private boolean isKnownElsewhere(long token, LogContext log) {
        return context.anyLog(each -> each != log && token <= each.largestToken());
    }

    private void claiming(long token) {
        context.leadership = context.leadership.claiming(token);
        context.heartbeatNow();
    }

    /** Nothing is claimed any longer: the next claim begins again. */
    void endIfOver() {
        boolean claims = context.anyLog(log -> log.ownTerm.exists() || log.outgoing.claim() != null);
        if (!context.leadership.leads() && !claims) {
            context.leadership = OwnLeadership.NONE;
        }
    }
}
