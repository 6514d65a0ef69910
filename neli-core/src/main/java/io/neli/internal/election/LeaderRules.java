package io.neli.internal.election;

import java.time.Duration;
import java.util.Objects;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.jspecify.annotations.Nullable;

/** The rules of leadership: a member leads a partition while it holds a majority of its logs. */
final class LeaderRules {

    /** How many leases a leader waits before it hands over again to an owner that did not claim. */
    private static final int LEASES_BETWEEN_HANDOVERS = 10;

    private LeaderRules() {}

    /**
     * Ends a term whose lease is over, before anything read in this step can renew it: {@code isLeader()} may already
     * have returned false.
     */
    static void endLapsedTerm(PartitionContext context) {
        if (context.partition.inTerm()) {
            context.logs().stream().filter(log -> log.held).forEach(log -> HolderRules.expire(context, log));
            endLostTerm(context);
        }
    }

    static void act(PartitionContext context) {
        endLostTerm(context);
        giveUp(context);
        for (LogState log : context.logs()) {
            HolderRules.expire(context, log);
            HolderRules.begin(context, log);
        }
        begin(context);
        LogSetRules.act(context);
        handOver(context);
        drain(context);
        context.wakeAt(context.partition.drainUntil);
    }

    /** Ends the term if too few logs are held: gracefully if a non-exclusive leader was superseded or has resigned. */
    private static void endLostTerm(PartitionContext context) {
        if (!context.partition.inTerm() || context.isEnough(log -> log.held)) {
            return;
        }
        FenceReason reason = context.lost;
        if (reason != null || !context.isNonExclusive()) {
            context.fence(Objects.requireNonNullElse(reason, FenceReason.LEASE_EXPIRED));
        } else if (context.partition.leadership == State.LEADING) {
            revoke(context, revokeReason(context));
        }
    }

    /** A holder that neither leads nor may lead resigns, even if its lease is over: the others need not wait. */
    private static void giveUp(PartitionContext context) {
        if (!context.partition.inTerm() && !context.mayLead()) {
            releaseAll(context);
        }
    }

    private static void begin(PartitionContext context) {
        PartitionState partition = context.partition;
        if (partition.inTerm() || !context.isEnough(log -> log.held && log.carries(partition.token))) {
            return;
        }
        partition.begin(context.now.time());
        context.heartbeatNow();
        context.announce(new LeaderAcquired(context.role(), context.number, partition.token));
        if (partition.isAssigned() && !partition.share.isOwner(context.self)) {
            context.rejoin();
        }
    }

    private static void handOver(PartitionContext context) {
        if (context.partition.leadership != State.LEADING) {
            return;
        }
        if (context.isNonExclusive()) {
            yieldToNewer(context);
            stepDownWithoutGap(context);
        } else if (!context.isEligible()) {
            revoke(context, context.partition.eligibility.reasonNotEligible());
        } else {
            handOverToOwner(context);
        }
    }

    /** Hands over to the owner if it has asked. */
    private static void handOverToOwner(PartitionContext context) {
        PartitionState partition = context.partition;
        MemberHash owner = partition.share.owner();
        boolean ownerAsked = owner != null
                && !partition.share.isOwner(context.self)
                && partition.share.isBasedOn(partition.token)
                && context.isEnough(log -> log.held && log.bids.hasBid(owner));
        if (owner == null || !ownerAsked) {
            return;
        }
        Duration pause = context.settings.leaseDuration().multipliedBy(LEASES_BETWEEN_HANDOVERS);
        MonotonicTime from = owner.equals(partition.handedTo) ? partition.handedAt.plus(pause) : MonotonicTime.PAST;
        if (context.hasReached(from)) {
            partition.handedOver(owner, context.now.time());
            revoke(context, RevokeReason.HANDOVER);
        } else {
            context.wakeAt(from);
        }
    }

    /** In non-exclusive mode a leader resigns first, and keeps leading until the next one reports that it leads. */
    private static void stepDownWithoutGap(PartitionContext context) {
        if (context.isEligible() && !context.partition.steppingDown) {
            return;
        }
        resignAll(context, context.partition.share.successor(context.self));
        context.partition.steppingDown = true;
        boolean followed = context.anyLog(log -> log.isLedByAnother(context.self, context.now.time()));
        if (followed || context.partition.alone) {
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
        PartitionState partition = context.partition;
        partition.leadership = State.DRAINING;
        partition.drainUntil = context.now.time().plus(context.settings.handoverTimeout());
        context.announce(new LeaderRevoked(context.role(), context.number, partition.token, reason));
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
        context.logs().forEach(log -> HolderRules.release(context, log));
    }

    /**
     * The consumer group finished an assignment.
     *
     * @param alone whether no other member was eligible for the partition
     * @param countedEligible whether this member was; null if it was not part of the assignment
     */
    static void assigned(
            PartitionContext context, MemberPlan.Share share, boolean alone, @Nullable Boolean countedEligible) {
        context.partition.assigned(context.now.time(), share, alone);
        boolean leadershipIsNews =
                keepsLeading(context) && !share.isBasedOn(context.partition.token) && !share.isOwner(context.self);
        if (countedEligible != null && (leadershipIsNews || countedEligible != context.isEligible())) {
            context.rejoin();
        }
    }

    /**
     * False for a non-exclusive leader that was superseded or has resigned in all logs: it leads only until its lease
     * is over. While one log is still its own, it may get the others back.
     */
    private static boolean keepsLeading(PartitionContext context) {
        return context.partition.leadership == State.LEADING && context.anyLog(log -> log.held && log.isCurrent());
    }

    static void lapsed(PartitionContext context, long token) {
        if (context.partition.ledTerm() == token) {
            context.fence(FenceReason.LEASE_EXPIRED);
        }
    }

    static void drained(PartitionContext context, long token, boolean fenced) {
        PartitionState partition = context.partition;
        if (fenced && partition.fenceHistory.unfinished() == token) {
            partition.fenceHistory = partition.fenceHistory.workEnded();
            context.logs().forEach(log -> HolderRules.resignFenced(context, log, token));
        } else if (partition.leadership == State.DRAINING && partition.token == token) {
            partition.drained = true;
        }
    }
}
