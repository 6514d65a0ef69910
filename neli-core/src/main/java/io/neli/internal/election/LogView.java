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
 * @param newerUntil until when a lease may last that a record of a newer version has granted
 * @param largestToken the largest token in any record read so far, here or in a log that was lost; zero if there is none
 * @param identity which log it is, where a partition lies on several
 */
record LogView(
        UnreadLeases unreadLeases,
        long end,
        long position,
        @Nullable ObservedTerm observed,
        MonotonicTime supersededBound,
        MonotonicTime newerUntil,
        long largestToken,
        LogIdentity identity) {

    /**
     * A log whose bounds are known.
     *
     * @param isOneOfSeveral whether a reader must know which log it is
     */
    static LogView opened(
            Input.LogOpened log, Duration ownLease, Carried before, boolean isOneOfSeveral, MonotonicTime now) {
        LongestLease longest = LongestLease.opened(ownLease, before.longestLease(), now);
        UnreadLeases unread = new UnreadLeases(
                log.start(), now, longest, true, !log.extendable(), isOneOfSeveral && log.extendable());
        return new LogView(
                unread,
                log.end(),
                log.start(),
                null,
                before.bound(),
                before.newerUntil(),
                before.largestToken(),
                LogIdentity.NONE);
    }

    /** Whether it was empty when it was opened, and nobody has claimed it since. */
    boolean wasEmpty() {
        return end == 0 && observed == null;
    }

    LogView withoutUnreadLeases() {
        return with(unreadLeases.ended(), supersededBound);
    }

    boolean caughtUp() {
        return position >= end && unreadLeases.reported();
    }

    /** Whether everything was read and does not suffice. */
    boolean wantsEarlierRecords() {
        return position >= end && !unreadLeases.reported();
    }

    @Nullable
    Term term() {
        return observed == null ? null : observed.term();
    }

    /** The offset of the current term's claim; {@link Term#NONE} if no term is known. */
    long termOffset() {
        return observed == null ? Term.NONE : observed.term().offset();
    }

    /** The token of the current term; {@link Term#NONE} if no term is known. */
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

    /** Whether nothing was read of the holder for half of its lease. */
    boolean isSilentAt(MonotonicTime now) {
        return observed == null
                || now.hasReached(
                        observed.lastEffective().plusNanos(observed.lease().toNanos() / 2));
    }

    /** Until when the lease of the current holder may last, if that is another member. */
    MonotonicTime holderBound() {
        return observed == null ? MonotonicTime.PAST : observed.bound();
    }

    /** Until when another lease than the current holder's may last, including those that were not read. */
    MonotonicTime othersBound() {
        return MonotonicTime.later(newerUntil, MonotonicTime.later(supersededBound, unreadLeases.until()));
    }

    /** Until when a lease may last of a member that does not say that it still works. */
    MonotonicTime silentLeaseUntil(MonotonicTime now) {
        return isSilentAt(now) ? MonotonicTime.later(holderBound(), othersBound()) : othersBound();
    }

    Duration longestLease() {
        return unreadLeases.longest().value();
    }

    /**
     * Whether another member leads with another configuration, or by the rules of a newer version, or no token is left. The members
     * of the former leader's configuration have a lease to follow it, so that others do not change what the group does.
     */
    Conflict conflict(MemberId self, PartitionConfig config, MonotonicTime now) {
        if (!now.hasReached(newerUntil)) {
            return Conflict.NEWER_VERSION;
        }
        if (isHeldBy(self)) {
            return Conflict.NONE;
        }
        Term other = otherConfig(self, config, now);
        if (other != null) {
            return other.config().conflictWith(config);
        }
        return hasNoLargerToken() ? Conflict.NO_LARGER_TOKEN : Conflict.NONE;
    }

    /** The term of another member that keeps this one from leading by its configuration; null if there is none. */
    @Nullable
    Term otherConfig(MemberId self, PartitionConfig config, MonotonicTime now) {
        boolean keepsOut = observed != null
                && !isHeldBy(self)
                && !observed.term().config().equals(config)
                && !now.hasReached(followedUntil());
        return keepsOut ? term() : null;
    }

    private MonotonicTime followedUntil() {
        return observed == null
                ? MonotonicTime.PAST
                : MonotonicTime.later(observed.resignedAt(), observed.bound()).plus(observed.lease());
    }

    /** When a conflict may be over, unless more such records come. */
    MonotonicTime conflictUntil(MonotonicTime now) {
        if (!now.hasReached(newerUntil)) {
            return newerUntil;
        }
        return now.hasReached(followedUntil()) ? MonotonicTime.NEVER : followedUntil();
    }

    private boolean hasNoLargerToken() {
        return largestToken >= RecordCodec.LARGEST_TOKEN;
    }

    /** The effect of a record. */
    record Read(LogView view, boolean newTerm, boolean effective, @Nullable IgnoredRecord ignored) {

        private static Read ignored(LogView view, IgnoredRecord kind) {
            return new Read(view, false, false, kind);
        }

        private Read withView(LogView other) {
            return new Read(other, newTerm, effective, ignored);
        }
    }

    /**
     * Takes a record into account.
     *
     * @param groupConfig the fingerprint of this member's group configuration
     */
    Read read(long offset, LogRecord record, MemberId self, String groupConfig, MonotonicTime now) {
        // Even a stale record shows how long unread leases may be, and which tokens there were.
        LogView seen = sawToken(record.sender().token()).sawLeases(record, now);
        Read read = seen.apply(offset, record, self, now);
        if (!(record instanceof LogRecord.Heartbeat beat) || read.ignored() == IgnoredRecord.FUTURE_HEARTBEAT) {
            return read;
        }
        LogView view = read.view();
        LogRecord.Mark mark = beat.mark();
        boolean tells = read.effective() && (mark == null || view.isRead(mark));
        if (tells && mark != null) {
            view = view.identified(mark.identity());
        }
        view = view.reportedBy(beat);
        return read.withView(tells && hasWaited(beat, groupConfig) ? view.withoutEarlierLeases() : view);
    }

    private Read apply(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        if (record instanceof LogRecord.Claim claim) {
            Term term = Term.begun(offset, claim);
            return new Read(supersededBy(ObservedTerm.begun(term, offset, claim, self, now)), true, true, null);
        }
        if (record instanceof LogRecord.Heartbeat heartbeat) {
            return applyHeartbeat(offset, heartbeat, self, now);
        }
        if (record instanceof LogRecord.Resign resign) {
            return observed != null && resign.term() == termOffset() && isHeldBy(resign.member())
                    ? new Read(with(observed.resigned(resign.successor(), now)), false, false, null)
                    : Read.ignored(this, IgnoredRecord.STALE_RESIGN);
        }
        boolean stale = record instanceof LogRecord.Bid bid && bid.term() != termOffset();
        return new Read(this, false, false, stale ? IgnoredRecord.STALE_BID : null);
    }

    private Read applyHeartbeat(long offset, LogRecord.Heartbeat heartbeat, MemberId self, MonotonicTime now) {
        if (heartbeat.term() >= offset || heartbeat.upTo() > offset) {
            return Read.ignored(this, IgnoredRecord.FUTURE_HEARTBEAT);
        }
        if (heartbeat.term() > termOffset()) {
            // The claim of this term was not read: it lies before the start, or in a hole of the log.
            Term term = Term.begun(heartbeat.term(), heartbeat);
            return new Read(supersededBy(ObservedTerm.begun(term, offset, heartbeat, self, now)), true, true, null);
        }
        if (observed == null || heartbeat.term() != termOffset() || resigned()) {
            return Read.ignored(this, IgnoredRecord.STALE_HEARTBEAT);
        }
        if (!isHeldBy(heartbeat.member())) {
            return Read.ignored(this, IgnoredRecord.FALSE_HEARTBEAT);
        }
        return new Read(with(observed.renewed(offset, heartbeat, self, now)), false, true, null);
    }

    /** A record that this version cannot read may have granted any lease. */
    LogView readNewer(Decoded.Newer record, MonotonicTime now) {
        LogView seen = sawToken(record.token()).knows(unreadLeases.longest().read(record.longestLease(), now));
        MonotonicTime until = now.plusNanos(ObservedTerm.withMargin(seen.longestLease()));
        return new LogView(
                seen.unreadLeases,
                end,
                position,
                observed,
                supersededBound,
                MonotonicTime.later(newerUntil, until),
                seen.largestToken,
                identity);
    }

    /** A new term begins. The lease of the previous one may last longer, unless it was resigned. */
    private LogView supersededBy(ObservedTerm next) {
        MonotonicTime bound = MonotonicTime.later(supersededBound, holderBound());
        return new LogView(unreadLeases, end, position, next, bound, newerUntil, largestToken, identity);
    }

    private LogView with(ObservedTerm next) {
        return new LogView(unreadLeases, end, position, next, supersededBound, newerUntil, largestToken, identity);
    }

    private LogView with(UnreadLeases unread, MonotonicTime superseded) {
        return new LogView(unread, end, position, observed, superseded, newerUntil, largestToken, identity);
    }

    private LogView sawLeases(LogRecord record, MonotonicTime now) {
        LongestLease longest = unreadLeases.longest();
        Duration told = record.sender().longestLease();
        if (!now.hasReached(unreadLeases.answeredAt().plusNanos(ObservedTerm.withMargin(told)))) {
            longest = longest.read(told, now); // later, each that lasts was granted by a record that was read here
        }
        if (record instanceof LogRecord.Leasing leasing) {
            longest = longest.read(leasing.grant().lease(), now);
        }
        return knows(longest);
    }

    private LogView knows(LongestLease longest) {
        return longest.equals(unreadLeases.longest()) ? this : with(unreadLeases.withLongest(longest), supersededBound);
    }

    private LogView sawToken(long token) {
        return token <= largestToken
                ? this
                : new LogView(unreadLeases, end, position, observed, supersededBound, newerUntil, token, identity);
    }

    /** A leader by the same rules that had read up to our start has already waited for all earlier leases. */
    private boolean hasWaited(LogRecord.Heartbeat heartbeat, String groupConfig) {
        return heartbeat.leading()
                && heartbeat.upTo() >= unreadLeases.start()
                && heartbeat.grant().config().group().equals(groupConfig);
    }

    /** Whether its sender reads the same log. */
    private boolean isRead(LogRecord.Mark mark) {
        return observed != null && observed.isRead(mark);
    }

    private LogView identified(LogIdentity later) {
        LogIdentity known = identity.updatedBy(later);
        return new LogView(unreadLeases, end, position, observed, supersededBound, newerUntil, largestToken, known);
    }

    private LogView reportedBy(LogRecord.Heartbeat heartbeat) {
        UnreadLeases unread = unreadLeases.reportedBy(heartbeat, identity);
        return unread.equals(unreadLeases) ? this : with(unread, supersededBound);
    }

    private LogView withoutEarlierLeases() {
        return with(unreadLeases.ended(), MonotonicTime.PAST);
    }

    LogView at(long nextPosition) {
        long next = Math.max(position, nextPosition);
        return new LogView(unreadLeases, end, next, observed, supersededBound, newerUntil, largestToken, identity);
    }
}
