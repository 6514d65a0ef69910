package io.neli.internal.election;

import java.util.Objects;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import org.jspecify.annotations.Nullable;

/** The rules of leadership: a member leads a partition while it holds a majority of its logs. */
final class LeaderRules {

    private LeaderRules() {}

    /** Ends a term whose lease is over, before anything read in this step can renew it. */
    static void endLapsedTerm(PartitionContext context) {
        if (context.partition.leads()) {
            context.logs().forEach(log -> HolderRules.endLapsedTerm(context, log));
            endLostTerm(context);
        }
    }

    /** Returns when the next step is due, not counting the steps of single logs. */
    static MonotonicTime act(PartitionContext context) {
        endLostTerm(context);
        giveUp(context);
        context.logs().forEach(log -> HolderRules.advance(context, log));
        endLostTerm(context);
        begin(context);
        LogSetRules.act(context);
        MonotonicTime handoverFrom = handOver(context);
        drain(context);
        return MonotonicTime.earlier(handoverFrom, context.partition.drainUntil);
    }

    /** Ends the term if too few logs are held: gracefully if a non-exclusive leader was superseded or has resigned. */
    private static void endLostTerm(PartitionContext context) {
        if (!context.partition.leads() || context.isEnough(LogState::isHeld)) {
            return;
        }
        FenceReason reason = context.lostBy();
        if (reason != null || !context.isNonExclusive()) {
            context.fence(Objects.requireNonNullElse(reason, FenceReason.LEASE_EXPIRED));
        } else if (context.partition.leadership == State.LEADING) {
            revoke(context, revokeReason(context));
        }
    }

    /**
     * A holder that neither leads nor may lead resigns, even if its lease is over, so that the others need not wait.
     */
    private static void giveUp(PartitionContext context) {
        if (context.partition.leads() || context.mayLead()) {
            return;
        }
        releaseAll(context);
    }

    private static void begin(PartitionContext context) {
        PartitionState partition = context.partition;
        if (partition.leads() || !context.isEnough(log -> log.isHeld() && log.carries(partition.token))) {
            return;
        }
        partition.begin(context.now.time());
        context.heartbeatNow();
        context.acquired();
        if (partition.ownership.isAssigned() && !partition.ownership.isOwner(context.self)) {
            context.rejoin();
        }
    }

    /** Hands over if it is time. Returns when a handover to an owner that has asked is due; NEVER if none is. */
    private static MonotonicTime handOver(PartitionContext context) {
        if (context.partition.leadership != State.LEADING) {
            return MonotonicTime.NEVER;
        }
        if (context.isNonExclusive()) {
            yieldToNewer(context);
            stepDownWithoutGap(context);
            return MonotonicTime.NEVER;
        }
        if (!context.isEligible()) {
            revoke(context, context.partition.eligibility.reasonNotEligible());
            return MonotonicTime.NEVER;
        }
        Ownership ownership = context.partition.ownership;
        MemberHash owner = ownership.owner();
        if (owner == null) {
            return MonotonicTime.NEVER;
        }
        boolean ownerAsked = !ownership.isOwner(context.self)
                && ownership.countedToken() == context.partition.token
                && context.isEnough(log -> log.isHeld() && log.bids.hasBid(owner));
        if (!ownerAsked) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime from = context.partition.handover.nextTo(owner, context.settings.leaseDuration());
        if (!context.hasReached(from)) {
            return from;
        }
        context.partition.handover = new Handover(owner, context.now.time());
        revoke(context, RevokeReason.HANDOVER);
        return MonotonicTime.NEVER;
    }

    /** In non-exclusive mode a leader resigns first, and keeps leading until the next one reports that it leads. */
    private static void stepDownWithoutGap(PartitionContext context) {
        if (context.isEligible() && !context.partition.steppingDown) {
            return;
        }
        resignAll(context, context.partition.ownership.successor(context.self));
        context.partition.steppingDown = true;
        boolean followed = context.anyLog(log -> log.isLedByAnother(context.self, context.now.time()));
        if (followed || context.partition.ownership.alone()) {
            revoke(context, revokeReason(context));
        }
    }

    /** Resigns all logs, but keeps leading until its lease is over. */
    private static void resignAll(PartitionContext context, @Nullable MemberHash successor) {
        for (LogState log : context.logs()) {
            if (log.isCurrent()) {
                HolderRules.resign(context, log, successor);
            }
        }
    }

    /** In non-exclusive mode a newer leader may not hold all logs yet: the earlier leader resigns the rest to it. */
    private static void yieldToNewer(PartitionContext context) {
        Term newer = context.newerLeader();
        if (newer != null) {
            resignAll(context, newer.holder().hash());
        }
    }

    private static RevokeReason revokeReason(PartitionContext context) {
        if (!context.isEligible()) {
            return context.partition.eligibility.reasonNotEligible();
        }
        boolean steppedDown = context.partition.steppingDown; // and is eligible again
        return steppedDown ? RevokeReason.RESIGNED : RevokeReason.SUPERSEDED;
    }

    private static void revoke(PartitionContext context, RevokeReason reason) {
        context.partition.drain(context.now.time().plus(context.settings.handoverTimeout()));
        context.revoked(reason);
    }

    private static void drain(PartitionContext context) {
        if (context.partition.leadership != State.DRAINING) {
            return;
        }
        if (context.partition.drained) {
            releaseAll(context);
            context.partition.end();
            context.partition.fenceHistory = context.partition.fenceHistory.endedGracefully();
        } else if (context.hasReached(context.partition.drainUntil)) {
            context.fence(FenceReason.HANDOVER_TIMED_OUT);
        }
    }

    private static void releaseAll(PartitionContext context) {
        for (LogState log : context.logs()) {
            if (log.isClaimed()) {
                HolderRules.release(context, log);
            }
        }
    }

    static void assigned(PartitionContext context, Input.Assigned input) {
        long counted = Objects.requireNonNullElse(input.share().countedToken(), Term.NONE);
        PartitionState partition = context.partition;
        partition.ownership = new Ownership(
                context.now.time(), input.share().owner(), input.share().deputy(), counted, input.alone());
        context.logs().forEach(LogState::forgetAssignment);
        boolean leadershipIsNews = keepsLeading(context)
                && input.countedEligible() != null
                && counted != partition.token
                && !partition.ownership.isOwner(context.self);
        boolean eligibilityIsNews = input.countedEligible() != null && input.countedEligible() != context.isEligible();
        if (leadershipIsNews || eligibilityIsNews) {
            context.rejoin();
        }
    }

    /**
     * False for a non-exclusive leader that was superseded or has resigned in all logs: it leads only until its lease
     * is over. While one log is still its own, it may get the others back.
     */
    private static boolean keepsLeading(PartitionContext context) {
        return context.partition.leadership == State.LEADING && context.anyLog(log -> log.isHeld() && log.isCurrent());
    }

    static void lapsed(PartitionContext context, Input.LeaseLapsed input) {
        if (context.partition.leadership == State.LEADING && context.partition.token == input.token()) {
            context.fence(FenceReason.LEASE_EXPIRED);
        }
    }

    static void drained(PartitionContext context, Input.Drained input) {
        PartitionState partition = context.partition;
        boolean endsFence = input.fenced() && partition.fenceHistory.unfinished() == input.token();
        if (endsFence) {
            partition.fenceHistory = partition.fenceHistory.workEnded();
            context.logs().forEach(log -> HolderRules.resignFenced(context, log, input.token()));
        } else if (partition.leadership == State.DRAINING && partition.token == input.token()) {
            partition.drained = true;
        }
    }
}
