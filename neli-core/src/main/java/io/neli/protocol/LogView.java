package io.neli.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the log says, the same for every reader, and how long a foreign holder's lease may last by this member's clock.
 *
 * <p>The latest claim wins. The current term's claim and its holder's heartbeats, until it has resigned, are
 * <em>effective</em>; all other records are stale.
 *
 * @param startBound covers what lies before the first offset that is read
 * @param end the log's end when it was opened
 * @param position the next offset that will be read
 * @param term the latest term; null if none is known
 * @param lastEffective when the latest effective record of the term was read
 * @param lease the lease in that record; the member's own while no term is known
 * @param holderBound until when the term's lease may last, if the holder is another member and has not resigned
 * @param resignedAt when the holder's resignation was read
 * @param supersededBound the largest bound of the foreign terms that were superseded and not resigned
 */
record LogView(
        StartBound startBound,
        long end,
        long position,
        @Nullable Term term,
        MonotonicTime lastEffective,
        Duration lease,
        MonotonicTime holderBound,
        MonotonicTime resignedAt,
        MonotonicTime supersededBound) {

    /** By how much the rates of two members' clocks may differ: one percent. */
    private static final long DRIFT_MARGIN_DIVISOR = 100;

    static long withMargin(Duration lease) {
        long nanos = lease.toNanos();
        return nanos + nanos / DRIFT_MARGIN_DIVISOR;
    }

    static LogView opened(long start, long end, Duration ownLease, BeforeGap before, MonotonicTime now) {
        Duration longest = before.longestLease().compareTo(ownLease) > 0 ? before.longestLease() : ownLease;
        return new LogView(
                new StartBound(start, now, longest, end > 0),
                end,
                start,
                null,
                MonotonicTime.PAST,
                ownLease,
                MonotonicTime.PAST,
                MonotonicTime.PAST,
                before.bound());
    }

    boolean caughtUp() {
        return position >= end;
    }

    long token() {
        return term == null ? Term.NONE : term.token();
    }

    @Nullable
    MemberId holder() {
        return term == null ? null : term.holder();
    }

    boolean resigned() {
        return term != null && term.resigned();
    }

    boolean isHeldBy(MemberId member) {
        return member.equals(holder());
    }

    /** Until when a lease of an earlier term, or one that was not read, may last. */
    MonotonicTime othersBound() {
        return MonotonicTime.later(supersededBound, startBound.until());
    }

    /** Whether the term's holder, another member, may still lead under another agreement. */
    boolean conflictsWith(ElectionSettings settings, MonotonicTime now) {
        return term != null
                && !term.resigned()
                && term.agreement() != null
                && !settings.agreement().equals(term.agreement())
                && !isHeldBy(settings.self())
                && !now.hasReached(holderBound);
    }

    /** What a record did. */
    record Read(LogView view, boolean newTerm, boolean effective, @Nullable IgnoredRecord ignored) {}

    Read read(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        // A stale record, too, tells how long a lease may be that was not read.
        LogView seen = record instanceof LogRecord.Leasing leasing ? sawLease(leasing.lease()) : this;
        return seen.heed(offset, record, self, now);
    }

    private Read heed(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        if (record instanceof LogRecord.Claim claim) {
            LogView view = superseded(new Term(offset, claim.member(), false, claim.agreement()), now);
            return new Read(view.renewed(claim, self, now), true, true, null);
        }
        if (record instanceof LogRecord.Heartbeat heartbeat) {
            return readHeartbeat(offset, heartbeat, self, now);
        }
        if (record instanceof LogRecord.Resign resign) {
            return term != null && resign.term() == term.token() && isHeldBy(resign.member())
                    ? new Read(resigned(term.resign(), now), false, false, null)
                    : new Read(this, false, false, IgnoredRecord.STALE_RESIGN);
        }
        boolean stale = ((LogRecord.Bid) record).term() != token();
        return new Read(this, false, false, stale ? IgnoredRecord.STALE_BID : null);
    }

    private Read readHeartbeat(long offset, LogRecord.Heartbeat heartbeat, MemberId self, MonotonicTime now) {
        if (heartbeat.term() >= offset || heartbeat.upTo() > offset) {
            return new Read(this, false, false, IgnoredRecord.FUTURE_HEARTBEAT);
        }
        // A larger term that was never claimed before our eyes: its claim lies before our start, or in a hole.
        boolean adopts = heartbeat.term() > token();
        LogView view = adopts ? superseded(new Term(heartbeat.term(), heartbeat.member(), false, null), now) : this;
        if (heartbeat.term() != view.token() || view.resigned()) {
            return new Read(this, false, false, IgnoredRecord.STALE_HEARTBEAT);
        }
        if (!view.isHeldBy(heartbeat.member())) {
            return new Read(this, false, false, IgnoredRecord.FALSE_HEARTBEAT);
        }
        view = view.renewed(heartbeat, self, now);
        if (heartbeat.leading() && heartbeat.upTo() >= startBound.start()) {
            view = view.othersEnded();
        }
        return new Read(view, adopts, true, null);
    }

    /** A new term begins; the lease of a foreign holder that has not resigned may outlast it. */
    private LogView superseded(Term next, MonotonicTime now) {
        return new LogView(
                startBound,
                end,
                position,
                next,
                now,
                lease,
                MonotonicTime.PAST,
                MonotonicTime.PAST,
                MonotonicTime.later(supersededBound, holderBound));
    }

    private LogView renewed(LogRecord.Leasing record, MemberId self, MonotonicTime now) {
        MonotonicTime bound = record.member().equals(self)
                ? holderBound
                : MonotonicTime.later(holderBound, now.plusNanos(withMargin(record.lease())));
        return new LogView(startBound, end, position, term, now, record.lease(), bound, resignedAt, supersededBound);
    }

    private LogView resigned(Term given, MonotonicTime now) {
        return new LogView(
                startBound, end, position, given, lastEffective, lease, MonotonicTime.PAST, now, supersededBound);
    }

    private LogView sawLease(Duration seen) {
        return new LogView(
                startBound.sawLease(seen),
                end,
                position,
                term,
                lastEffective,
                lease,
                holderBound,
                resignedAt,
                supersededBound);
    }

    /** A leader that had waited for all earlier leases has answered for them. */
    private LogView othersEnded() {
        return new LogView(
                startBound.ended(),
                end,
                position,
                term,
                lastEffective,
                lease,
                holderBound,
                resignedAt,
                MonotonicTime.PAST);
    }

    LogView at(long nextPosition) {
        return new LogView(
                startBound,
                end,
                Math.max(position, nextPosition),
                term,
                lastEffective,
                lease,
                holderBound,
                resignedAt,
                supersededBound);
    }
}
