package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import org.jspecify.annotations.Nullable;

/** The rules from a claim that was read back to the end of its term, in one log. */
final class HolderRules {

    private HolderRules() {}

    /** Drops expired holds and activates claims whose wait is over. */
    static void advance(LogContext context) {
        if (context.log != null) {
            expire(context, context.log);
            begin(context, context.log);
        }
    }

    /** A lease that is over stays over, whatever is read now: {@code isLeader()} may already have returned false. */
    static void endLapsedTerm(LogContext context) {
        if (context.log != null && context.ownTerm.isHeld()) {
            expire(context, context.log);
        }
    }

    private static void expire(LogContext context, LogView log) {
        if (!context.ownTerm.exists() || context.ownTerm.lease().holdsAt(context.now())) {
            return;
        }
        if (context.ownTerm.isHeld() && context.holds(log)) {
            context.partition.lost(FenceReason.LEASE_EXPIRED);
        }
        Lease over = context.ownTerm.lease().endedAt(context.now());
        context.ownTerm = OwnTerm.NONE.withLease(over);
    }

    private static void begin(LogContext context, LogView log) {
        boolean waits = !context.isNonExclusive() && !context.hasReached(log.othersBound());
        if (context.ownTerm.hold() == Hold.CLAIMED && !waits) {
            context.ownTerm = context.ownTerm.held();
            if (context.partition.leadership.leads()) {
                context.ownTerm = context.ownTerm.heartbeatAt(context.time());
            }
        }
    }

    /** Sends a heartbeat if one is due; returns when the next step is. */
    static MonotonicTime heartbeat(LogContext context, LogView log) {
        MonotonicTime next = context.ownTerm.lease().until();
        if (context.holds(log)) {
            sendHeartbeat(context, log);
            next = MonotonicTime.earlier(next, context.ownTerm.heartbeatAt());
        }
        return context.ownTerm.hold() == Hold.CLAIMED ? MonotonicTime.earlier(next, log.othersBound()) : next;
    }

    private static void sendHeartbeat(LogContext context, LogView log) {
        if (!context.hasReached(context.ownTerm.heartbeatAt())) {
            return;
        }
        // It has not waited for a lease that a newer version may have granted, so others must not rely on it.
        boolean hasWaited = context.hasReached(log.newerUntil());
        OwnLeadership leadership = context.partition.leadership;
        context.append(new LogRecord.Heartbeat(
                context.sender(leadership.token(), log),
                context.grant(),
                log.termOffset(),
                leadership.leads() && context.ownTerm.isHeld() && hasWaited,
                hasWaited ? log.position() : 0,
                LogSetRules.mark(context, log)));
        context.outgoing = context.outgoing.sentHeartbeat(context.now());
        context.ownTerm = context.ownTerm.heartbeatAt(nextBeat(context));
    }

    /** The next multiple of the interval, so that the heartbeats of all logs are sent in one burst. */
    private static MonotonicTime nextBeat(LogContext context) {
        long interval = context.settings().heartbeatInterval().toNanos();
        return new MonotonicTime((Math.floorDiv(context.time().nanos(), interval) + 1) * interval);
    }

    /** Gives up the term if it is still this member's, and invites the successor that the group's assignment names. */
    static void release(LogContext context) {
        release(context, context.ownership.successor(context.self().hash()));
    }

    static void release(LogContext context, @Nullable MemberHash successor) {
        if (context.log != null && context.holds(context.log)) {
            resign(context, context.log, successor);
        }
        context.ownTerm = context.ownTerm.dropped();
    }

    /** The work of a fenced term has ended: resigns if it is still the log's, so that the others need not wait for its lease. */
    static void resignFenced(LogContext context, long token) {
        LogView log = context.log;
        if (log != null
                && log.token() == token
                && log.isHeldBy(context.self())
                && !log.resigned()
                && context.outgoing.resigned() != log.termOffset()) {
            resign(context, log, context.ownership.successor(context.self().hash()));
        }
    }

    static void resign(LogContext context, LogView log, @Nullable MemberHash successor) {
        context.append(new LogRecord.Resign(context.sender(log), log.termOffset(), successor));
        context.outgoing = context.outgoing.sentResign(log.termOffset());
    }
}
