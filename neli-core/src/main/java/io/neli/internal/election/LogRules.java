package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import org.jspecify.annotations.Nullable;

/** The rules for what is read from the log. */
final class LogRules {

    /** After so many, the JVM has compiled what writes and reads a record; one partition is enough for that. */
    private static final long GREETINGS = 20;

    private LogRules() {}

    static void records(LogContext context, Input.RecordsRead input) {
        if (context.log == null) {
            return; // read before the log was lost
        }
        LogView log = context.log;
        for (LogEntry entry : input.entries()) {
            if (isOfAnotherLog(context, entry)) {
                lost(context);
                context.readFurtherBack();
                return;
            }
            if (isOfTwin(context, entry)) {
                renewed(context);
                context.renew();
                return;
            }
            log = read(context, log, entry).at(entry.offset() + 1);
        }
        log = log.at(input.position());
        if (log.wantsEarlierRecords() && !context.log.wantsEarlierRecords()) {
            context.readFurtherBack();
        }
        context.log = log;
    }

    /**
     * Another member goes on to say that it holds the term that this one holds: it reads another claim at that offset. A single such
     * record may be forged.
     */
    private static boolean isOfAnotherLog(LogContext context, LogEntry entry) {
        if (!context.ownTerm.exists()
                || !(entry.content() instanceof LogRecord.Heartbeat heartbeat)
                || heartbeat.member().equals(context.self())
                || heartbeat.term() != context.ownTerm.offset()
                || heartbeat.upTo() > entry.offset()) {
            return false;
        }
        LogRecord.Heartbeat before = context.ownTerm.contradiction();
        context.ownTerm = context.ownTerm.contradictedBy(heartbeat);
        return before != null
                && before.member().equals(heartbeat.member())
                && before.grant().sequence() < heartbeat.grant().sequence();
    }

    /** In this member's name, and not written by it: a copy of its process goes on elsewhere, with all that it knew. */
    private static boolean isOfTwin(LogContext context, LogEntry entry) {
        return entry.content() instanceof LogRecord.Leasing record
                && context.self().equals(record.member())
                && context.outgoing.isForeign(record.grant().sequence());
    }

    private static LogView read(LogContext context, LogView before, LogEntry entry) {
        if (entry.content() instanceof Decoded.Newer newer) {
            context.ignore(IgnoredRecord.NEWER_VERSION);
            return before.readNewer(newer, context.time());
        }
        if (!(entry.content() instanceof LogRecord record)) {
            context.ignore(((Decoded.Unreadable) entry.content()).why());
            return before;
        }
        LogView.Read read =
                before.read(entry.offset(), record, context.self(), context.partition.config.group(), context.time());
        if (context.self().equals(record.member())) {
            context.answered();
        }
        if (read.ignored() != null) {
            context.ignore(read.ignored());
        }
        if (read.newTerm()) {
            context.ownership = context.ownership.claimedBy(record.member(), before.unresignedHolder());
            context.partition.handover = context.partition.handover.claimedBy(record.member());
            supersede(context, record.member());
            context.bids = context.bids.forNewTerm();
        }
        if (read.effective()) {
            context.bids = context.bids.voided();
        }
        if (record instanceof LogRecord.Claim claim) {
            readClaim(context, before, entry.offset(), claim);
        } else if (record instanceof LogRecord.Heartbeat heartbeat) {
            measure(context, heartbeat);
            Lease lease = leaseOf(context, heartbeat);
            // A newer record before it may have been a claim, which this version cannot read.
            boolean superseded = !context.hasReached(before.newerUntil());
            if (read.effective() && lease.holdsAt(context.now()) && !superseded) {
                context.ownTerm =
                        context.ownTerm.renewed(lease, heartbeat.sender().token());
            }
        } else if (record instanceof LogRecord.Bid bid) {
            readBid(context, before, bid);
        } else if (record instanceof LogRecord.Hello hello) {
            readHello(context, read.view(), hello);
        } else if (record instanceof LogRecord.Resign
                && read.ignored() == null
                && context.self().equals(record.member())) {
            // A resignation counts for every reader, so also for this member, even if it did not send it itself.
            supersede(context, null);
        }
        return read.view();
    }

    /** A claim by that member, or a resignation (null), ends the term; a non-exclusive leader leads until its lease is over. */
    private static void supersede(LogContext context, @Nullable MemberId by) {
        boolean leads = context.partition.leadership.leads() && context.ownTerm.isHeld();
        if (!context.isNonExclusive() || !leads || context.self().equals(by)) {
            endTerm(context, FenceReason.SUPERSEDED);
        }
    }

    /** The log is no longer this member's, and neither is the lease. */
    private static void endTerm(LogContext context, FenceReason reason) {
        if (context.ownTerm.isHeld()) {
            context.partition.lost(reason);
        }
        context.ownTerm = OwnTerm.NONE;
    }

    private static void readClaim(LogContext context, LogView before, long offset, LogRecord.Claim claim) {
        if (!context.self().equals(claim.member())) {
            return;
        }
        long sequence = claim.grant().sequence();
        context.outgoing = context.outgoing.readClaim(sequence);
        if (context.outgoing.sentAt(sequence) != null) {
            long token = claim.sender().token();
            context.partition.campaign.claimRead(token, before.largestToken(), context);
            context.ownTerm =
                    OwnTerm.claimed(offset, before.largestToken(), token, leaseOf(context, claim), context.time());
        }
    }

    /** Includes heartbeats that come too late to be effective: the slow ones matter most. */
    private static void measure(LogContext context, LogRecord.Heartbeat heartbeat) {
        Moment sent = sentAt(context, heartbeat);
        if (sent != null) {
            context.measureHeartbeat(sent);
        }
    }

    private static void readBid(LogContext context, LogView log, LogRecord.Bid bid) {
        boolean own = context.self().equals(bid.member());
        if (bid.term() == log.termOffset()) {
            context.bids = context.bids.read(bid.member(), own, context.time());
            if (own) {
                context.ownership = context.ownership.ownBidRead();
            }
        } else if (own) {
            context.bids = context.bids.withoutOwn();
        }
        if (!own && context.ownTerm.exists()) {
            context.ownTerm = context.ownTerm.heartbeatAt(context.time()); // only slow, not dead: answer at once
        }
    }

    private static void readHello(LogContext context, LogView log, LogRecord.Hello hello) {
        boolean awaited = context.self().equals(hello.member()) && hello.more() == context.outgoing.greetings();
        if (awaited && hello.more() > 0) { // and not one of earlier, or its copy
            greet(context, log, hello.more() - 1);
        }
    }

    /** The lease that a record grants this member; none if it does not know when it sent the record. */
    private static Lease leaseOf(LogContext context, LogRecord.Leasing record) {
        Moment sent = sentAt(context, record);
        return sent == null ? Lease.OVER : Lease.from(sent, context.settings().leaseDuration());
    }

    /** When this member sent the record; null if it did not, or has forgotten. */
    private static @Nullable Moment sentAt(LogContext context, LogRecord.Leasing record) {
        return context.self().equals(record.member())
                ? context.outgoing.sentAt(record.grant().sequence())
                : null;
    }

    static void opened(LogContext context, Input.LogOpened input) {
        lost(context); // in case that was not reported
        context.log = LogView.opened(
                input,
                context.settings().leaseDuration(),
                context.carried,
                context.partition.logs.size() > 1,
                context.time());
        greet(context);
    }

    /** A candidate says that it reads the log. */
    static void greet(LogContext context) {
        if (context.log != null && context.partition.eligibility.candidate()) {
            boolean first = context.partition.partition == 0 && context.number() == 0;
            greet(context, context.log, first ? GREETINGS : 0);
        }
    }

    private static void greet(LogContext context, LogView log, long more) {
        context.append(new LogRecord.Hello(context.sender(log), more));
        context.outgoing = context.outgoing.sentGreeting(more);
    }

    /** What it holds it no longer holds alone. */
    static void renewed(LogContext context) {
        endTerm(context, FenceReason.SUPERSEDED);
        lost(context);
        context.ownership = Ownership.NONE;
    }

    /** Forgets the log, but not how long the leases that it granted may last. */
    static void lost(LogContext context) {
        if (context.log != null) {
            endTerm(context, FenceReason.LOG_GAP);
            context.carried = Carried.from(context.log);
        }
        context.log = null;
        context.bids = Bids.NONE;
        context.outgoing = context.outgoing.forgotten();
        context.answered();
    }
}
