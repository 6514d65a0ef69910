package io.neli.internal.election;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the log says, which is the same for every reader, and how long other members' leases may last by this member's
 * clock.
 *
 * <p>The latest claim wins. The claim of the current term and the holder's heartbeats are <em>effective</em> until the holder
 * resigns; all other records are stale.
 *
 * @param unreadLeases the leases granted before the first offset that is read
 * @param end the log's end when it was opened
 * @param position the next offset that will be read
 * @param observed the latest term and its holder; null if none is known
 * @param supersededBound until when the lease of another member may last whose term was superseded and not resigned
 */
record LogView(
        UnreadLeases unreadLeases,
        long end,
        long position,
        @Nullable ObservedTerm observed,
        MonotonicTime supersededBound) {

    static LogView opened(long start, long end, Duration ownLease, CarriedLeases before, MonotonicTime now) {
        Duration longest = before.longestLease().compareTo(ownLease) > 0 ? before.longestLease() : ownLease;
        return new LogView(new UnreadLeases(start, now, longest, end > 0), end, start, null, before.bound());
    }

    boolean caughtUp() {
        return position >= end;
    }

    @Nullable
    Term term() {
        return observed == null ? null : observed.term();
    }

    long token() {
        return observed == null ? Term.NONE : observed.term().token();
    }

    boolean resigned() {
        return observed != null && observed.term().resigned();
    }

    /** The holder of the current term; null if it has resigned or no term is known. */
    @Nullable
    MemberId unresignedHolder() {
        return observed == null || resigned() ? null : observed.term().holder();
    }

    boolean isHeldBy(MemberId member) {
        return observed != null && observed.term().holder().equals(member);
    }

    /** Whether the holder has reported that it leads. */
    boolean isLed() {
        return observed != null && observed.led();
    }

    /** Until when the lease of the current holder may last, if that is another member. */
    MonotonicTime holderBound() {
        return observed == null ? MonotonicTime.PAST : observed.bound();
    }

    /** Until when the lease of an earlier term may last, including those that were not read. */
    MonotonicTime othersBound() {
        return MonotonicTime.later(supersededBound, unreadLeases.until());
    }

    /** Whether another member may still lead with another group configuration. */
    boolean conflictsWith(MemberId self, ElectionSettings settings, MonotonicTime now) {
        Term term = term();
        return term != null
                && !term.resigned()
                && term.groupConfig() != null
                && !settings.groupConfig().equals(term.groupConfig())
                && !isHeldBy(self)
                && !now.hasReached(holderBound());
    }

    /** The effect of a record. */
    record Read(LogView view, boolean newTerm, boolean effective, @Nullable IgnoredRecord ignored) {

        private static Read ignored(LogView view, IgnoredRecord kind) {
            return new Read(view, false, false, kind);
        }
    }

    Read read(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        // Even a stale record shows how long unread leases may be.
        LogView seen = record instanceof LogRecord.Leasing leasing ? sawLease(leasing.lease()) : this;
        return seen.apply(offset, record, self, now);
    }

    private Read apply(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        if (record instanceof LogRecord.Claim claim) {
            Term term = new Term(offset, claim.member(), false, claim.groupConfig());
            return new Read(supersededBy(ObservedTerm.begun(term, claim, self, now)), true, true, null);
        }
        if (record instanceof LogRecord.Heartbeat heartbeat) {
            return applyHeartbeat(offset, heartbeat, self, now);
        }
        if (record instanceof LogRecord.Resign resign) {
            return observed != null && resign.term() == token() && isHeldBy(resign.member())
                    ? new Read(with(observed.resigned(now)), false, false, null)
                    : Read.ignored(this, IgnoredRecord.STALE_RESIGN);
        }
        boolean stale = ((LogRecord.Bid) record).term() != token();
        return new Read(this, false, false, stale ? IgnoredRecord.STALE_BID : null);
    }

    private Read applyHeartbeat(long offset, LogRecord.Heartbeat heartbeat, MemberId self, MonotonicTime now) {
        if (heartbeat.term() >= offset || heartbeat.upTo() > offset) {
            return Read.ignored(this, IgnoredRecord.FUTURE_HEARTBEAT);
        }
        if (heartbeat.term() > token()) {
            // The claim of this term was not read: it lies before the start, or in a hole of the log.
            Term term = new Term(heartbeat.term(), heartbeat.member(), false, null);
            LogView view = supersededBy(ObservedTerm.begun(term, heartbeat, self, now));
            return new Read(view.endEarlierLeases(heartbeat), true, true, null);
        }
        if (observed == null || heartbeat.term() != token() || resigned()) {
            return Read.ignored(this, IgnoredRecord.STALE_HEARTBEAT);
        }
        if (!isHeldBy(heartbeat.member())) {
            return Read.ignored(this, IgnoredRecord.FALSE_HEARTBEAT);
        }
        LogView view = with(observed.renewed(heartbeat, self, now));
        return new Read(view.endEarlierLeases(heartbeat), false, true, null);
    }

    /** A new term begins. The lease of the previous one may last longer, unless it was resigned. */
    private LogView supersededBy(ObservedTerm next) {
        return new LogView(unreadLeases, end, position, next, MonotonicTime.later(supersededBound, holderBound()));
    }

    private LogView with(ObservedTerm next) {
        return new LogView(unreadLeases, end, position, next, supersededBound);
    }

    private LogView sawLease(Duration seen) {
        return seen.compareTo(unreadLeases.longestLease()) <= 0
                ? this
                : new LogView(unreadLeases.withLongest(seen), end, position, observed, supersededBound);
    }

    /** A leader that had read up to our start has already waited for all earlier leases. */
    private LogView endEarlierLeases(LogRecord.Heartbeat heartbeat) {
        return heartbeat.leading() && heartbeat.upTo() >= unreadLeases.start()
                ? new LogView(unreadLeases.ended(), end, position, observed, MonotonicTime.PAST)
                : this;
    }

    LogView at(long nextPosition) {
        return new LogView(unreadLeases, end, Math.max(position, nextPosition), observed, supersededBound);
    }
}
