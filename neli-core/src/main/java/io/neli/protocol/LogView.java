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
 * @param holding the latest term and its holder; null if none is known
 * @param supersededBound the largest bound of the foreign terms that were superseded and not resigned
 */
record LogView(
        StartBound startBound, long end, long position, @Nullable Holding holding, MonotonicTime supersededBound) {

    static LogView opened(long start, long end, Duration ownLease, BeforeGap before, MonotonicTime now) {
        Duration longest = before.longestLease().compareTo(ownLease) > 0 ? before.longestLease() : ownLease;
        return new LogView(new StartBound(start, now, longest, end > 0), end, start, null, before.bound());
    }

    boolean caughtUp() {
        return position >= end;
    }

    @Nullable
    Term term() {
        return holding == null ? null : holding.term();
    }

    long token() {
        return holding == null ? Term.NONE : holding.term().token();
    }

    boolean resigned() {
        return holding != null && holding.term().resigned();
    }

    /** The holder of the current term, unless it has given it up. */
    @Nullable
    MemberId unresignedHolder() {
        return holding == null || resigned() ? null : holding.term().holder();
    }

    boolean isHeldBy(MemberId member) {
        return holding != null && holding.term().holder().equals(member);
    }

    /** Whether the holder has said that it leads. */
    boolean isLed() {
        return holding != null && holding.led();
    }

    /** Until when the lease of a foreign holder may last. */
    MonotonicTime holderBound() {
        return holding == null ? MonotonicTime.PAST : holding.bound();
    }

    /** Until when a lease of an earlier term, or one that was not read, may last. */
    MonotonicTime othersBound() {
        return MonotonicTime.later(supersededBound, startBound.until());
    }

    /** Whether the term's holder, another member, may still lead under another agreement. */
    boolean conflictsWith(ElectionSettings settings, MonotonicTime now) {
        Term term = term();
        return term != null
                && !term.resigned()
                && term.agreement() != null
                && !settings.agreement().equals(term.agreement())
                && !isHeldBy(settings.self())
                && !now.hasReached(holderBound());
    }

    /** What a record did. */
    record Read(LogView view, boolean newTerm, boolean effective, @Nullable IgnoredRecord ignored) {

        private static Read ignored(LogView view, IgnoredRecord kind) {
            return new Read(view, false, false, kind);
        }
    }

    Read read(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        // A stale record, too, tells how long a lease may be that was not read.
        LogView seen = record instanceof LogRecord.Leasing leasing ? sawLease(leasing.lease()) : this;
        return seen.heed(offset, record, self, now);
    }

    private Read heed(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        if (record instanceof LogRecord.Claim claim) {
            Term term = new Term(offset, claim.member(), false, claim.agreement());
            return new Read(supersededBy(Holding.begun(term, claim, self, now)), true, true, null);
        }
        if (record instanceof LogRecord.Heartbeat heartbeat) {
            return heedHeartbeat(offset, heartbeat, self, now);
        }
        if (record instanceof LogRecord.Resign resign) {
            return holding != null && resign.term() == token() && isHeldBy(resign.member())
                    ? new Read(with(holding.resigned(now)), false, false, null)
                    : Read.ignored(this, IgnoredRecord.STALE_RESIGN);
        }
        boolean stale = ((LogRecord.Bid) record).term() != token();
        return new Read(this, false, false, stale ? IgnoredRecord.STALE_BID : null);
    }

    private Read heedHeartbeat(long offset, LogRecord.Heartbeat heartbeat, MemberId self, MonotonicTime now) {
        if (heartbeat.term() >= offset || heartbeat.upTo() > offset) {
            return Read.ignored(this, IgnoredRecord.FUTURE_HEARTBEAT);
        }
        if (heartbeat.term() > token()) {
            // A larger term that was never claimed before our eyes: its claim lies before our start, or in a hole.
            Term term = new Term(heartbeat.term(), heartbeat.member(), false, null);
            LogView view = supersededBy(Holding.begun(term, heartbeat, self, now));
            return new Read(view.answeredBy(heartbeat), true, true, null);
        }
        if (holding == null || heartbeat.term() != token() || resigned()) {
            return Read.ignored(this, IgnoredRecord.STALE_HEARTBEAT);
        }
        if (!isHeldBy(heartbeat.member())) {
            return Read.ignored(this, IgnoredRecord.FALSE_HEARTBEAT);
        }
        LogView view = with(holding.renewed(heartbeat, self, now));
        return new Read(view.answeredBy(heartbeat), false, true, null);
    }

    /** A new term begins; the lease of a foreign holder that has not resigned may outlast it. */
    private LogView supersededBy(Holding next) {
        return new LogView(startBound, end, position, next, MonotonicTime.later(supersededBound, holderBound()));
    }

    private LogView with(Holding next) {
        return new LogView(startBound, end, position, next, supersededBound);
    }

    private LogView sawLease(Duration seen) {
        return seen.compareTo(startBound.longestLease()) <= 0
                ? this
                : new LogView(startBound.withLongest(seen), end, position, holding, supersededBound);
    }

    /** A leader that has read up to our start has waited for all earlier leases, and answers for them. */
    private LogView answeredBy(LogRecord.Heartbeat heartbeat) {
        return heartbeat.leading() && heartbeat.upTo() >= startBound.start()
                ? new LogView(startBound.ended(), end, position, holding, MonotonicTime.PAST)
                : this;
    }

    LogView at(long nextPosition) {
        return new LogView(startBound, end, Math.max(position, nextPosition), holding, supersededBound);
    }
}
