package io.neli.internal.election;

import java.util.Objects;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;

/** The rules from a claim that was read back to the end of its term. */
final class LeaderRules {

    private LeaderRules() {}

    /** Returns when the next step is due. */
    static MonotonicTime act(StepContext context, LogView log) {
        giveUp(context, log);
        expire(context, log);
        begin(context, log);
        MonotonicTime handoverFrom = handOver(context, log);
        drain(context, log);
        if (context.ownTerm.state() == State.STANDBY) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime next = MonotonicTime.earlier(context.ownTerm.drainUntil(), handoverFrom);
        if (context.holds(log)) {
            heartbeat(context, log);
            next = MonotonicTime.earlier(next, context.ownTerm.heartbeatAt());
        }
        if (context.holds(log) || context.ownTerm.state() == State.LEADING) {
            next = MonotonicTime.earlier(next, context.ownTerm.lease().until());
        }
        if (context.ownTerm.state() == State.CLAIMED && context.ownTerm.tokenRead()) {
            next = MonotonicTime.earlier(next, log.othersBound());
        }
        return next;
    }

    /** A holder that has not led and may not lead resigns, even if its lease is over, so that the others need not wait. */
    private static void giveUp(StepContext context, LogView log) {
        if (context.ownTerm.state() == State.CLAIMED && !context.mayLead()) {
            resign(context, log);
            context.ownTerm = context.ownTerm.standby();
        }
    }

    /** A lease that is over stays over, whatever is read now: {@code isLeader()} may already have returned false. */
    static void endLapsedTerm(StepContext context) {
        if (context.log != null && context.ownTerm.leads()) {
            expire(context, context.log);
        }
    }

    private static void expire(StepContext context, LogView log) {
        if (context.ownTerm.state() == State.STANDBY || context.ownTerm.lease().holdsAt(context.now)) {
            return;
        }
        if (!context.holds(log)) {
            if (context.ownTerm.state() == State.LEADING) {
                revoke(context, revokeReason(context));
            }
            return;
        }
        Lease over = context.ownTerm.lease().endedAt(context.now);
        if (context.ownTerm.leads()) {
            context.fence(FenceReason.LEASE_EXPIRED);
        }
        context.ownTerm = context.ownTerm.standby().withLease(over);
    }

    private static void begin(StepContext context, LogView log) {
        if (context.ownTerm.state() != State.CLAIMED
                || !context.ownTerm.tokenRead()
                || !(context.isNonExclusive() || context.hasReached(log.othersBound()))) {
            return;
        }
        context.ownTerm = context.ownTerm.leading(context.time());
        context.acquired();
        if (context.ownership.isAssigned() && !context.ownership.isOwner(context.self())) {
            context.rejoin();
        }
    }

    /** Returns when it may hand over to an owner that has asked; NEVER if none has. */
    private static MonotonicTime handOver(StepContext context, LogView log) {
        if (context.ownTerm.state() != State.LEADING) {
            return MonotonicTime.NEVER;
        }
        if (context.isNonExclusive()) {
            stepDownWithoutGap(context, log);
            return MonotonicTime.NEVER;
        }
        if (!context.isEligible()) {
            revoke(context, context.eligibility.reasonNotEligible());
            return MonotonicTime.NEVER;
        }
        Ownership ownership = context.ownership;
        boolean ownerAsked = ownership.owner() != null
                && !ownership.isOwner(context.self())
                && ownership.countedToken() == log.token()
                && context.bids.hasBid(ownership.owner());
        if (!ownerAsked) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime from = ownership.handoverFrom(context.settings.leaseDuration());
        if (!context.hasReached(from)) {
            return from;
        }
        context.ownership = ownership.handedOver(context.time());
        revoke(context, RevokeReason.HANDOVER);
        return MonotonicTime.NEVER;
    }

    /** In non-exclusive mode a leader resigns first, and keeps leading until the next one reports that it leads. */
    private static void stepDownWithoutGap(StepContext context, LogView log) {
        if (context.isEligible() && context.outgoing.resigned() != context.ownTerm.offset()) {
            return;
        }
        if (context.holds(log)) {
            resign(context, log);
        }
        boolean followed = log.termOffset() != context.ownTerm.offset() && log.isLed();
        if (followed || context.ownership.alone()) {
            revoke(context, revokeReason(context));
        }
    }

    private static RevokeReason revokeReason(StepContext context) {
        if (!context.isEligible()) {
            return context.eligibility.reasonNotEligible();
        }
        boolean steppedDown = context.outgoing.resigned() == context.ownTerm.offset(); // and is eligible again
        return steppedDown ? RevokeReason.RESIGNED : RevokeReason.SUPERSEDED;
    }

    private static void revoke(StepContext context, RevokeReason reason) {
        context.ownTerm = context.ownTerm.draining(context.time().plus(context.settings.handoverTimeout()));
        context.revoked(reason);
    }

    private static void drain(StepContext context, LogView log) {
        if (context.ownTerm.state() != State.DRAINING) {
            return;
        }
        if (context.ownTerm.drained()) {
            if (context.holds(log)) {
                resign(context, log);
            }
            context.ownTerm = context.ownTerm.standby();
            context.fenceHistory = context.fenceHistory.endedGracefully();
        } else if (context.hasReached(context.ownTerm.drainUntil())) {
            context.fence(FenceReason.HANDOVER_TIMED_OUT);
        }
    }

    private static void resign(StepContext context, LogView log) {
        MemberHash successor = context.ownership.successor(context.self().hash());
        context.append(new LogRecord.Resign(context.sender(log), log.termOffset(), successor));
        context.outgoing = context.outgoing.sentResign(log.termOffset());
    }

    private static void heartbeat(StepContext context, LogView log) {
        if (!context.hasReached(context.ownTerm.heartbeatAt())) {
            return;
        }
        // It has not waited for a lease that a newer version may have granted, so others must not rely on it.
        boolean hasWaited = context.hasReached(log.newerUntil());
        context.append(new LogRecord.Heartbeat(
                context.sender(context.ownTerm.token(), log),
                context.grant(),
                log.termOffset(),
                context.ownTerm.leads() && hasWaited,
                hasWaited ? log.position() : 0));
        context.outgoing = context.outgoing.sentHeartbeat(context.now);
        context.ownTerm = context.ownTerm.heartbeatAt(nextBeat(context));
    }

    /** The next multiple of the interval, so that the heartbeats of all partitions are sent in one burst. */
    private static MonotonicTime nextBeat(StepContext context) {
        long interval = context.settings.heartbeatInterval().toNanos();
        return new MonotonicTime((Math.floorDiv(context.time().nanos(), interval) + 1) * interval);
    }

    static void assigned(StepContext context, Input.Assigned input) {
        long counted = Objects.requireNonNullElse(input.share().countedToken(), Term.NONE);
        context.ownership = context.ownership.assigned(input, counted, context.time());
        boolean leadershipIsNews = keepsLeading(context)
                && input.countedEligible() != null
                && counted != context.ownTerm.token()
                && !context.ownership.isOwner(context.self());
        boolean eligibilityIsNews = input.countedEligible() != null && input.countedEligible() != context.isEligible();
        if (leadershipIsNews || eligibilityIsNews) {
            context.rejoin();
        }
    }

    /** False for a non-exclusive leader that was superseded or has resigned: it leads only until its lease is over. */
    private static boolean keepsLeading(StepContext context) {
        return context.ownTerm.state() == State.LEADING && context.log != null && context.holds(context.log);
    }

    /** Whether a term that was fenced is still the log's, so that the others wait for its lease. */
    private static boolean isStillCurrent(StepContext context, LogView log, long token) {
        return log.token() == token
                && log.isHeldBy(context.self())
                && !log.resigned()
                && context.outgoing.resigned() != log.termOffset();
    }

    static void drained(StepContext context, Input.Drained input) {
        boolean endsFence = input.fenced() && context.fenceHistory.unfinished() == input.token();
        if (endsFence) {
            context.fenceHistory = context.fenceHistory.workEnded();
            if (context.log != null && isStillCurrent(context, context.log, input.token())) {
                resign(context, context.log);
            }
        } else if (context.ownTerm.state() == State.DRAINING && context.ownTerm.token() == input.token()) {
            context.ownTerm = context.ownTerm.workEnded();
        }
    }
}
