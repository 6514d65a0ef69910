package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import org.jspecify.annotations.Nullable;

/** The rules for one log, from reading this member's claim back until the end of its term. */
final class HolderRules {

    private HolderRules() {}

    /** Drops a hold or claim whose lease is over. */
    static void expire(PartitionContext context, LogState log) {
        if (!log.isClaimed() || log.lease.holdsAt(context.now)) {
            return;
        }
        if (log.held && log.isCurrent()) {
            context.lost(FenceReason.LEASE_EXPIRED);
        }
        log.dropTerm();
        log.lease = log.lease.endedAt(context.now);
    }

    /** Turns a claim whose wait is over into a hold. */
    static void begin(PartitionContext context, LogState log) {
        boolean waits = !context.isNonExclusive() && !context.hasReached(log.view.othersBound());
        if (log.isClaimed() && !log.held && !waits) {
            log.held = true;
            if (context.partition.inTerm()) {
                log.heartbeatAt = context.now.time();
            }
        }
    }

    /** Sends a heartbeat if one is due. */
    static void heartbeat(PartitionContext context, LogState log) {
        context.wakeAt(log.lease.until());
        if (log.isCurrent()) {
            sendHeartbeat(context, log);
            context.wakeAt(log.heartbeatAt);
        }
        if (!log.held) {
            context.wakeAt(log.view.othersBound());
        }
    }

    private static void sendHeartbeat(PartitionContext context, LogState log) {
        if (!context.hasReached(log.heartbeatAt)) {
            return;
        }
        // Others must not rely on a member that has not waited for leases of a newer version.
        boolean hasWaited = context.hasReached(log.view.newerUntil);
        Outgoing.Sent sent = log.outgoing.next(context.now);
        context.append(
                log,
                new LogRecord.Heartbeat(
                        context.sender(context.partition.token, log),
                        context.grant(sent),
                        log.ownTerm,
                        context.partition.inTerm() && log.held && hasWaited,
                        hasWaited ? log.view.position : 0,
                        LogSetRules.mark(context, log)));
        log.outgoing = log.outgoing.sent(sent);
        log.heartbeatAt = nextBeat(context);
    }

    /** The next multiple of the interval, so that the heartbeats of all logs are sent in one burst. */
    private static MonotonicTime nextBeat(PartitionContext context) {
        long interval = context.settings.heartbeatInterval().toNanos();
        return new MonotonicTime((Math.floorDiv(context.now.time().nanos(), interval) + 1) * interval);
    }

    /** Gives up this member's term if it is current, and invites the successor that the group's assignment names. */
    static void release(PartitionContext context, LogState log) {
        release(context, log, context.partition.share.successor(context.self));
    }

    static void release(PartitionContext context, LogState log, @Nullable MemberHash successor) {
        if (log.isCurrent()) {
            resign(context, log, successor);
        }
        log.dropTerm();
    }

    /**
     * The work of a fenced term has ended: resigns if that term is still the log's latest, so that the others need not
     * wait for its lease.
     */
    static void resignFenced(PartitionContext context, LogState log, long token) {
        LogView view = log.view;
        if (view.token() == token
                && view.isHeldBy(context.self)
                && !view.resigned()
                && log.resigned != view.termOffset()) {
            resign(context, log, context.partition.share.successor(context.self));
        }
    }

    static void resign(PartitionContext context, LogState log, @Nullable MemberHash successor) {
        context.append(log, new LogRecord.Resign(context.sender(log), log.view.termOffset(), successor));
        log.resigned = log.view.termOffset();
    }
}
