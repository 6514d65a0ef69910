package io.neli.internal.election;

import java.util.Objects;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import org.jspecify.annotations.Nullable;

/** The rules of leadership: a member leads a partition while it holds a majority of its logs. */
final class LeaderRules {

    private LeaderRules() {}

    /** Before anything else happens: what is over by now stays over. */
    static void endLapsedTerm(PartitionContext context) {
        if (context.leadership.leads()) {
            context.logs.forEach(HolderRules::endLapsedTerm);
            endLostTerm(context);
        }
    }

    /** Returns when the next step is due, apart from those of the logs. */
    static MonotonicTime act(PartitionContext context) {
        endLostTerm(context);
        giveUp(context);
        context.logs.forEach(HolderRules::advance);
        endLostTerm(context);
        begin(context);
        LogSetRules.act(context);
        MonotonicTime handoverFrom = handOver(context);
        drain(context);
        return MonotonicTime.earlier(handoverFrom, context.leadership.drainUntil());
    }

    /** A non-exclusive leader that was superseded, or has resigned, ends gracefully when its lease does. */
    private static void endLostTerm(PartitionContext context) {
        if (!context.leadership.leads() || context.isEnough(log -> log.ownTerm.isHeld())) {
            return;
        }
        FenceReason reason = context.lostBy();
        if (reason != null || !context.isNonExclusive()) {
            context.fence(Objects.requireNonNullElse(reason, FenceReason.LEASE_EXPIRED));
        } else if (context.leadership.state() == State.LEADING) {
            revoke(context, revokeReason(context));
        }
    }

    /** A holder that has not led and may not lead resigns, even if its lease is over, so that the others need not wait. */
    private static void giveUp(PartitionContext context) {
        if (context.leadership.leads() || context.mayLead()) {
            return;
        }
        for (LogContext log : context.logs) {
            if (log.ownTerm.exists()) {
                HolderRules.release(log);
            }
        }
    }

    private static void begin(PartitionContext context) {
        long token = context.leadership.token();
        if (context.leadership.leads()
                || !context.isEnough(log -> log.ownTerm.isHeld() && log.ownTerm.carries(token))) {
            return;
        }
        context.leadership = context.leadership.leading(context.now.time());
        context.heartbeatNow();
        context.acquired();
        Ownership ownership = context.ownership();
        if (ownership.isAssigned() && !ownership.isOwner(context.self)) {
            context.rejoin();
        }
    }

    /** Returns when it may hand over to an owner that has asked; NEVER if none has. */
    private static MonotonicTime handOver(PartitionContext context) {
        if (context.leadership.state() != State.LEADING) {
            return MonotonicTime.NEVER;
        }
        if (context.isNonExclusive()) {
            yieldToNewer(context);
            stepDownWithoutGap(context);
            return MonotonicTime.NEVER;
        }
        if (!context.isEligible()) {
            revoke(context, context.eligibility.reasonNotEligible());
            return MonotonicTime.NEVER;
        }
        MemberHash owner = context.ownership().owner();
        if (owner == null) {
            return MonotonicTime.NEVER;
        }
        boolean ownerAsked = !context.ownership().isOwner(context.self)
                && context.ownership().countedToken() == context.leadership.token()
                && context.isEnough(log -> log.ownTerm.isHeld() && log.bids.hasBid(owner));
        if (!ownerAsked) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime from = context.handover.nextTo(owner, context.settings.leaseDuration());
        if (!context.hasReached(from)) {
            return from;
        }
        context.handover = new Handover(owner, context.now.time());
        revoke(context, RevokeReason.HANDOVER);
        return MonotonicTime.NEVER;
    }

    /** In non-exclusive mode a leader resigns first, and keeps leading until the next one reports that it leads. */
    private static void stepDownWithoutGap(PartitionContext context) {
        if (context.isEligible() && !context.leadership.steppingDown()) {
            return;
        }
        resignAll(context, context.ownership().successor(context.self.hash()));
        context.leadership = context.leadership.nowSteppingDown();
        boolean followed =
                context.logs.stream().anyMatch(log -> log.state().isLedByAnother(context.self, context.now.time()));
        if (followed || context.ownership().alone()) {
            revoke(context, revokeReason(context));
        }
    }

    /** Keeps leading as long as its lease lasts. */
    private static void resignAll(PartitionContext context, @Nullable MemberHash successor) {
        for (LogContext log : context.logs) {
            if (log.log != null && log.ownTerm.exists() && log.holds(log.log)) {
                HolderRules.resign(log, log.log, successor);
            }
        }
    }

    /** In non-exclusive mode one may lead before it holds all logs: the earlier leader leaves the others to it. */
    private static void yieldToNewer(PartitionContext context) {
        Term newer = context.newerLeader();
        if (newer != null) {
            resignAll(context, newer.holder().hash());
        }
    }

    private static RevokeReason revokeReason(PartitionContext context) {
        if (!context.isEligible()) {
            return context.eligibility.reasonNotEligible();
        }
        boolean steppedDown = context.leadership.steppingDown(); // and is eligible again
        return steppedDown ? RevokeReason.RESIGNED : RevokeReason.SUPERSEDED;
    }

    private static void revoke(PartitionContext context, RevokeReason reason) {
        MonotonicTime until = context.now.time().plus(context.settings.handoverTimeout());
        context.leadership = context.leadership.draining(until);
        context.revoked(reason);
    }

    private static void drain(PartitionContext context) {
        if (context.leadership.state() != State.DRAINING) {
            return;
        }
        if (context.leadership.drained()) {
            context.logs.stream().filter(log -> log.ownTerm.exists()).forEach(HolderRules::release);
            context.leadership = OwnLeadership.NONE;
            context.fenceHistory = context.fenceHistory.endedGracefully();
        } else if (context.hasReached(context.leadership.drainUntil())) {
            context.fence(FenceReason.HANDOVER_TIMED_OUT);
        }
    }

    static void assigned(PartitionContext context, Input.Assigned input) {
        long counted = Objects.requireNonNullElse(input.share().countedToken(), Term.NONE);
        for (LogContext log : context.logs) {
            log.ownership = log.ownership.assigned(input, counted, context.now.time());
        }
        boolean leadershipIsNews = keepsLeading(context)
                && input.countedEligible() != null
                && counted != context.leadership.token()
                && !context.ownership().isOwner(context.self);
        boolean eligibilityIsNews = input.countedEligible() != null && input.countedEligible() != context.isEligible();
        if (leadershipIsNews || eligibilityIsNews) {
            context.rejoin();
        }
    }

    /**
     * False for a non-exclusive leader that was superseded or has resigned in all logs: it leads only until its lease is over. As
     * long as it was not in one, it may get the others back.
     */
    private static boolean keepsLeading(PartitionContext context) {
        return context.leadership.state() == State.LEADING
                && context.anyLog(log -> log.log != null && log.ownTerm.isHeld() && log.holds(log.log));
    }

    static void lapsed(PartitionContext context, Input.LeaseLapsed input) {
        if (context.leadership.state() == State.LEADING && context.leadership.token() == input.token()) {
            context.fence(FenceReason.LEASE_EXPIRED);
        }
    }

    static void drained(PartitionContext context, Input.Drained input) {
        boolean endsFence = input.fenced() && context.fenceHistory.unfinished() == input.token();
        if (endsFence) {
            context.fenceHistory = context.fenceHistory.workEnded();
            context.logs.forEach(log -> HolderRules.resignFenced(log, input.token()));
        } else if (context.leadership.state() == State.DRAINING && context.leadership.token() == input.token()) {
            context.leadership = context.leadership.workEnded();
        }
    }
}
