package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import org.jspecify.annotations.Nullable;

/** The rules for applying what is read from one log. */
final class LogRules {

    private LogRules() {}

    static void apply(PartitionContext context, LogState log, Input input) {
        if (input instanceof Input.RecordsRead records) {
            records(context, log, records);
        } else if (input instanceof Input.LogOpened opened) {
            opened(context, log, opened);
        } else {
            lost(context, log, FenceReason.LOG_GAP);
        }
    }

    private static void records(PartitionContext context, LogState log, Input.RecordsRead input) {
        if (!log.isOpen()) {
            return; // read before the log was lost
        }
        LogView before = log.view.copy();
        boolean wantedEarlierRecords = log.view.wantsEarlierRecords();
        for (LogEntry entry : input.entries()) {
            if (isOfAnotherLog(context, log, entry)) {
                log.view = before;
                lost(context, log, FenceReason.LOG_GAP);
                context.act(log, new Action.ReadFurtherBack());
                return;
            }
            if (isOfTwin(context, log, entry)) {
                log.view = before;
                lost(context, log, FenceReason.SUPERSEDED); // a copy of this process holds it too
                context.act(log, new Action.Renew());
                return;
            }
            read(context, log, entry);
        }
        log.view.position = Math.max(log.view.position, input.position());
        if (log.view.wantsEarlierRecords() && !wantedEarlierRecords) {
            context.act(log, new Action.ReadFurtherBack());
        }
    }

    /**
     * Whether another member has said twice that it holds this member's term: it reads another log, with its own claim
     * at that offset. A single record may be forged.
     */
    private static boolean isOfAnotherLog(PartitionContext context, LogState log, LogEntry entry) {
        if (!log.isClaimed()
                || !(entry.content() instanceof LogRecord.Heartbeat heartbeat)
                || heartbeat.member().equals(context.self)
                || heartbeat.term() != log.ownTerm
                || heartbeat.upTo() > entry.offset()) {
            return false;
        }
        LogRecord.Heartbeat before = log.contradiction;
        log.contradiction = heartbeat;
        return before != null
                && before.member().equals(heartbeat.member())
                && before.grant().sequence() < heartbeat.grant().sequence();
    }

    /** Whether a record in this member's name was not written by it: a copy of its process runs elsewhere. */
    private static boolean isOfTwin(PartitionContext context, LogState log, LogEntry entry) {
        return entry.content() instanceof LogRecord.Leasing record
                && context.self.equals(record.member())
                && log.outgoing.isForeign(record.grant().sequence());
    }

    private static void read(PartitionContext context, LogState log, LogEntry entry) {
        LogView view = log.view;
        MonotonicTime now = context.now.time();
        if (entry.content() instanceof Decoded.Newer newer) {
            view.readNewer(newer, now);
            return;
        }
        if (!(entry.content() instanceof LogRecord record)) {
            if (((Decoded.Unreadable) entry.content()).copied()) {
                context.act(log, new Action.ReportCopy());
            }
            return;
        }
        boolean own = context.self.equals(record.member());
        MemberId holderBefore = view.unresignedHolder();
        long tokenBefore = view.largestToken;
        LogView.Read read = view.read(entry.offset(), record, context.self, context.config.group(), now);
        if (own) {
            log.unansweredSince = MonotonicTime.NEVER;
        }
        if (read.newTerm()) {
            readTerm(context, log, record.member(), holderBefore);
        }
        if (read.effective()) {
            log.bids = log.bids.voided();
        }
        if (record instanceof LogRecord.Claim claim && own) {
            readOwnClaim(context, log, entry.offset(), claim, tokenBefore);
        } else if (record instanceof LogRecord.Heartbeat heartbeat && own) {
            readOwnHeartbeat(context, log, heartbeat, read.effective());
        } else if (record instanceof LogRecord.Bid bid) {
            readBid(context, log, bid, own);
        } else if (record instanceof LogRecord.Resign && !read.ignored() && own) {
            // Every reader applies this resignation, so this member does too, even if it did not send it.
            supersede(context, log, null);
        }
    }

    /** {@code member} claimed the log; {@code from} is the previous holder, null if none or if it had resigned. */
    private static void readTerm(PartitionContext context, LogState log, MemberId member, @Nullable MemberId from) {
        PartitionState partition = context.partition;
        MemberPlan.Share share = partition.share;
        boolean fromOwner = from != null && share.isOwner(from);
        log.ownerSuperseded = !share.isOwner(member) && (log.ownerSuperseded || fromOwner);
        log.readOwnBid = false;
        if (member.hash().equals(partition.handedTo)) {
            partition.handedOver(null, MonotonicTime.PAST); // its next handover need not wait
        }
        supersede(context, log, member);
        log.bids = log.bids.forNewTerm();
    }

    /**
     * A claim by {@code by}, or a resignation (null), ends the term. But a non-exclusive leader leads until its lease
     * is over.
     */
    private static void supersede(PartitionContext context, LogState log, @Nullable MemberId by) {
        boolean leads = context.partition.inTerm() && log.held;
        if (!context.isNonExclusive() || !leads || context.self.equals(by)) {
            endTerm(context, log, FenceReason.SUPERSEDED);
        }
    }

    /** Ends this member's term in the log, and its lease. */
    private static void endTerm(PartitionContext context, LogState log, FenceReason reason) {
        if (log.held) {
            context.lost(reason);
        }
        log.dropTerm();
        log.lease = Lease.OVER;
    }

    private static void readOwnClaim(
            PartitionContext context, LogState log, long offset, LogRecord.Claim claim, long tokenBefore) {
        long sequence = claim.grant().sequence();
        if (log.claim != null && log.claim.sequence() == sequence) {
            log.claim = null;
        }
        Moment sent = log.outgoing.sentAt(sequence);
        if (sent != null) {
            long token = claim.sender().token();
            TokenRules.claimRead(context, token, tokenBefore, log);
            log.claimed(offset, tokenBefore, token, leaseFrom(context, sent), context.now.time());
        }
    }

    private static void readOwnHeartbeat(
            PartitionContext context, LogState log, LogRecord.Heartbeat heartbeat, boolean effective) {
        Moment sent = log.outgoing.sentAt(heartbeat.grant().sequence());
        if (sent == null) {
            return; // sent too long ago, or before the log was lost
        }
        // Even for a heartbeat that is too late to renew the lease: the slow ones matter most.
        context.act(log, new Action.HeartbeatRead(sent.time().until(context.now.time())));
        Lease lease = leaseFrom(context, sent);
        // A record of a newer version before it may have been a claim.
        boolean superseded = !context.hasReached(log.view.newerUntil);
        if (effective && lease.holdsAt(context.now) && !superseded) {
            log.renewed(lease, heartbeat.sender().token());
        }
    }

    /** The lease that a record grants this member. */
    private static Lease leaseFrom(PartitionContext context, Moment sent) {
        return Lease.from(sent, context.settings.leaseDuration());
    }

    private static void readBid(PartitionContext context, LogState log, LogRecord.Bid bid, boolean own) {
        if (bid.term() == log.view.termOffset()) {
            log.bids = log.bids.read(bid.member(), own, context.now.time());
            log.readOwnBid |= own;
        } else if (own) {
            log.bids = log.bids.withoutOwn();
        }
        if (!own && log.isClaimed()) {
            log.heartbeatAt = context.now.time(); // only slow, not dead: answer at once
        }
    }

    private static void opened(PartitionContext context, LogState log, Input.LogOpened input) {
        lost(context, log, FenceReason.LOG_GAP); // in case the loss was not reported
        log.view.open(input, context.settings.leaseDuration(), context.logs().size() > 1, context.now.time());
        greet(context, log);
        context.skipUnreadLeases();
    }

    /** Lets a candidate find out early whether its records arrive. */
    private static void greet(PartitionContext context, LogState log) {
        if (log.isOpen() && context.partition.eligibility.candidate()) {
            context.append(log, new LogRecord.Hello(context.sender(log)));
        }
    }

    static void eligibilityChanged(PartitionContext context, Eligibility next) {
        boolean wasCandidate = context.partition.eligibility.candidate();
        context.partition.eligibility = next;
        if (!wasCandidate) {
            context.logs().forEach(log -> greet(context, log));
        }
    }

    /** This member continues as a new one; its logs are opened again. */
    static void renewed(PartitionContext context) {
        context.logs().forEach(log -> lost(context, log, FenceReason.SUPERSEDED));
        context.partition.assigned(MonotonicTime.PAST, MemberPlan.Share.NONE, false);
    }

    private static void lost(PartitionContext context, LogState log, FenceReason reason) {
        endTerm(context, log, reason);
        log.lost();
    }
}
