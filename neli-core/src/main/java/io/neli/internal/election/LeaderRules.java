package io.neli.internal.election;

import java.util.Objects;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;

/** From the claim that was read back to the end of the term: protocol, section 5; in non-exclusive mode also section 9. */
final class LeaderRules {

    private LeaderRules() {}

    /** Returns when it wants to be called again. */
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
        if (context.ownTerm.state() == State.CLAIMED) {
            next = MonotonicTime.earlier(next, log.othersBound());
        }
        return next;
    }

    /** A holder that has not led and does not stand says so, even if its lease is over: the others need not wait. */
    private static void giveUp(StepContext context, LogView log) {
        if (context.ownTerm.state() == State.CLAIMED && !context.mayLead()) {
            resign(context, log);
            context.ownTerm = context.ownTerm.standby();
        }
    }

    /** A lease that is over is over for good, whatever is read now: whoever has asked meanwhile was told so. */
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
                revoke(context, reasonToLeave(context));
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
                || !(context.isNonExclusive() || context.hasReached(log.othersBound()))) {
            return;
        }
        context.ownTerm = context.ownTerm.leading(context.time());
        context.acquired();
        if (context.ownership.isAssigned() && !context.ownership.isOwner(context.self())) {
            context.rejoin();
        }
    }

    /** Returns from when on it may hand over to an owner that has asked; NEVER if there is none. */
    private static MonotonicTime handOver(StepContext context, LogView log) {
        if (context.ownTerm.state() != State.LEADING) {
            return MonotonicTime.NEVER;
        }
        if (context.isNonExclusive()) {
            leaveOnceFollowed(context, log);
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
                && context.bids.seen().contains(ownership.owner());
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

    /** Where work must not stop, one that leaves resigns first, and leads on until the next has said that it leads. */
    private static void leaveOnceFollowed(StepContext context, LogView log) {
        if (context.isEligible() && context.outgoing.resigned() != context.ownTerm.token()) {
            return;
        }
        if (context.holds(log)) {
            resign(context, log);
        }
        boolean followed = log.token() != context.ownTerm.token() && log.isLed();
        if (followed || context.ownership.alone()) {
            revoke(context, reasonToLeave(context));
        }
    }

    private static RevokeReason reasonToLeave(StepContext context) {
        if (!context.isEligible()) {
            return context.eligibility.reasonNotEligible();
        }
        boolean steppedDown = context.outgoing.resigned() == context.ownTerm.token(); // and stands again meanwhile
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
            context.fenceHistory = context.fenceHistory.endedWell();
        } else if (context.hasReached(context.ownTerm.drainUntil())) {
            context.fence(FenceReason.HANDOVER_TIMED_OUT);
        }
    }

    private static void resign(StepContext context, LogView log) {
        context.append(new LogRecord.Resign(context.self(), log.token()));
        context.outgoing = context.outgoing.sentResign(log.token());
    }

    private static void heartbeat(StepContext context, LogView log) {
        if (!context.hasReached(context.ownTerm.heartbeatAt())) {
            return;
        }
        context.append(new LogRecord.Heartbeat(
                context.self(),
                context.outgoing.nextSequence(),
                context.settings.leaseDuration(),
                log.token(),
                context.ownTerm.leads(),
                log.position()));
        context.outgoing = context.outgoing.sentHeartbeat(context.now);
        context.ownTerm = context.ownTerm.heartbeatAt(nextBeat(context));
    }

    /** The next multiple of the interval, so that the heartbeats of all partitions leave in one burst. */
    private static MonotonicTime nextBeat(StepContext context) {
        long interval = context.settings.heartbeatInterval().toNanos();
        return new MonotonicTime((Math.floorDiv(context.time().nanos(), interval) + 1) * interval);
    }

    static void assigned(StepContext context, Input.Assigned input) {
        long counted = Objects.requireNonNullElse(input.countedToken(), Term.NONE);
        context.ownership = context.ownership.assigned(input.owner(), counted, input.alone(), context.time());
        boolean leadershipIsNews = keepsLeading(context)
                && counted != context.ownTerm.token()
                && !context.ownership.isOwner(context.self());
        boolean eligibilityIsNews = input.countedEligible() != null && input.countedEligible() != context.isEligible();
        if (leadershipIsNews || eligibilityIsNews) {
            context.rejoin();
        }
    }

    /** Unlike one that leads only to the end of its lease, in non-exclusive mode. */
    private static boolean keepsLeading(StepContext context) {
        return context.ownTerm.state() == State.LEADING && context.log != null && context.holds(context.log);
    }

    static void drained(StepContext context, Input.Drained input) {
        context.fenceHistory = context.fenceHistory.workEnded(input.token());
        if (context.ownTerm.state() == State.DRAINING && context.ownTerm.token() == input.token()) {
            context.ownTerm = context.ownTerm.workEnded();
        }
    }
}
