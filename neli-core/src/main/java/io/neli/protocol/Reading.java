package io.neli.protocol;

import org.jspecify.annotations.Nullable;

/** Takes in what was read from the log. */
final class Reading {

    private Reading() {}

    static void records(Turn turn, Input.RecordsRead input) {
        if (turn.log == null) {
            return; // read before the log was lost
        }
        LogView log = turn.log;
        for (LogEntry entry : input.entries()) {
            log = read(turn, log, entry).at(entry.offset() + 1);
        }
        turn.log = log.at(input.position());
    }

    private static LogView read(Turn turn, LogView before, LogEntry entry) {
        if (!(entry.content() instanceof LogRecord record)) {
            turn.ignore(((Decoded.Unreadable) entry.content()).why());
            return before;
        }
        LogView.Read read = before.read(entry.offset(), record, turn.self(), turn.time());
        if (read.ignored() != null) {
            turn.ignore(read.ignored());
        }
        if (read.newTerm()) {
            turn.ownership = turn.ownership.claimedBy(record.member(), before.unresignedHolder());
            supersede(turn, record.member());
            turn.bids = turn.bids.forNewTerm();
        }
        if (read.effective()) {
            turn.bids = turn.bids.voided();
        }
        if (record instanceof LogRecord.Claim claim) {
            readClaim(turn, entry.offset(), claim);
        } else if (record instanceof LogRecord.Heartbeat heartbeat) {
            measure(turn, heartbeat);
            Lease lease = leaseOf(turn, heartbeat);
            if (read.effective() && lease.holdsAt(turn.now)) {
                turn.tenure = turn.tenure.renewed(lease);
            }
        } else if (record instanceof LogRecord.Bid bid) {
            readBid(turn, before, bid);
        } else if (read.ignored() == null && turn.self().equals(record.member())) {
            // Its resignation ends a term for every reader, so also for the one in whose name it stands there.
            supersede(turn, null);
        }
        return read.view();
    }

    /** Another term begins, or none. In non-exclusive mode a leader goes on until its lease is over. */
    private static void supersede(Turn turn, @Nullable MemberId by) {
        if (!turn.isNonExclusive() || !turn.tenure.leads() || turn.self().equals(by)) {
            endTerm(turn, FenceReason.SUPERSEDED);
        }
    }

    /** A term is over: a leader is fenced, and no lease of its own is left. */
    private static void endTerm(Turn turn, FenceReason reason) {
        if (turn.tenure.leads()) {
            turn.fence(reason);
        }
        turn.tenure = Tenure.STANDBY;
    }

    private static void readClaim(Turn turn, long offset, LogRecord.Claim claim) {
        if (!turn.self().equals(claim.member())) {
            return;
        }
        turn.outgoing = turn.outgoing.readClaim(claim.sequence());
        if (turn.outgoing.sentAt(claim.sequence()) != null) {
            turn.tenure = Tenure.claimed(offset, leaseOf(turn, claim), turn.time());
        }
    }

    /** Also one that comes too late to count: it is the slow ones that one wants to see. */
    private static void measure(Turn turn, LogRecord.Heartbeat heartbeat) {
        Moment sent = sentAt(turn, heartbeat);
        if (sent != null) {
            turn.measureHeartbeat(sent);
        }
    }

    private static void readBid(Turn turn, LogView log, LogRecord.Bid bid) {
        boolean own = turn.self().equals(bid.member());
        if (bid.term() == log.token()) {
            turn.bids = turn.bids.read(bid.member(), own, turn.time());
            if (own) {
                turn.ownership = turn.ownership.heard();
            }
        } else if (own) {
            turn.bids = turn.bids.ownWasStale();
        }
        if (!own && turn.tenure.state() != State.STANDBY) {
            turn.tenure = turn.tenure.heartbeatAt(turn.time()); // only slow: answers at once
        }
    }

    /** The lease that a record of this member grants it: none where it does not know when it sent it. */
    private static Lease leaseOf(Turn turn, LogRecord.Leasing record) {
        Moment sent = sentAt(turn, record);
        return sent == null ? Lease.OVER : Lease.from(sent, turn.settings.lease());
    }

    /** When this member sent the record; null where it did not, or has forgotten. */
    private static @Nullable Moment sentAt(Turn turn, LogRecord.Leasing record) {
        return turn.self().equals(record.member()) ? turn.outgoing.sentAt(record.sequence()) : null;
    }

    static void opened(Turn turn, Input.LogOpened input) {
        lost(turn); // also where nobody said so
        turn.log = LogView.opened(input.start(), input.end(), turn.settings.lease(), turn.beforeGap, turn.time());
    }

    /** Nothing that was known of the log holds any longer. */
    static void lost(Turn turn) {
        if (turn.log != null) {
            endTerm(turn, FenceReason.LOG_GAP);
            turn.beforeGap = BeforeGap.of(turn.log);
        }
        turn.log = null;
        turn.bids = Bids.NONE;
        turn.outgoing = turn.outgoing.forgotten();
    }
}
