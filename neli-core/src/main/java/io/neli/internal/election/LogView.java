package io.neli.internal.election;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the log says, and how long other members' leases may last by this member's clock. Every reader concludes the
 * same from the records. Changes only within a step.
 *
 * <p>The latest claim wins. The claim of the current term and the holder's heartbeats are <em>effective</em> until the
 * holder resigns; all other records are stale.
 */
final class LogView extends StepState {

    boolean open;
    /** Whether another log, which was lost, was read in its place before. */
    boolean reopened;
    /** The first offset that is read. */
    private long start;
    /** The log's end when it was opened. */
    private long end;
    /** When that end was learned. Records before the start were sent earlier. */
    MonotonicTime openedAt = MonotonicTime.PAST;
    /** The next offset that will be read. */
    long position;
    /** Whether records before the start may have granted leases. False once a leader has waited for these. */
    boolean hasUnreadLeases;
    /**
     * Whether a record has reported the longest lease and the largest token before the start, or no earlier record can
     * be read.
     */
    private boolean reported;
    /** Whether that record must also tell which log it is. */
    private boolean seeksIdentity;

    // The latest term.

    /** Null if none is known. */
    @Nullable
    Term term;
    /** When its latest effective record was read. */
    MonotonicTime lastEffective = MonotonicTime.PAST;
    /** The lease in that record. */
    Duration lease = Duration.ZERO;
    /** Until when that lease may last; past if the holder is this member or has resigned. */
    MonotonicTime holderBound = MonotonicTime.PAST;
    /** Whether the holder has reported that it leads, rather than waits for earlier leases. */
    boolean led;
    /** When the holder's resignation was read; past if none was. */
    MonotonicTime resignedAt = MonotonicTime.PAST;
    /** The member that the holder has invited to claim; null if none. */
    @Nullable
    MemberHash successor;
    /** Its latest effective records, if the partition has several logs; otherwise only the claim, if read. */
    private List<LogRecord.Written> written = List.of();

    // Leases and tokens of all terms.

    private LongestLease longestLease = LongestLease.NONE;
    /** Until when leases of other members may last whose terms were superseded without being resigned. */
    private MonotonicTime supersededBound = MonotonicTime.PAST;
    /** Until when leases may last that records of a newer version have granted. */
    MonotonicTime newerUntil = MonotonicTime.PAST;
    /** The largest in any record read so far, here or in a log that was lost; zero if none. */
    long largestToken;
    /** Which log it is, if the partition has several. */
    LogIdentity identity = LogIdentity.NONE;

    LogView copy() {
        return (LogView) clone();
    }

    /**
     * The log's bounds are known, and reading begins.
     *
     * @param isOneOfSeveral whether a reader must know which log it is
     */
    void open(Input.LogOpened log, Duration ownLease, boolean isOneOfSeveral, MonotonicTime now) {
        open = true;
        start = log.start();
        position = log.start();
        end = log.end();
        openedAt = now;
        longestLease = LongestLease.opened(ownLease, longestLease.value(), now);
        hasUnreadLeases = true;
        reported = !log.extendable();
        seeksIdentity = isOneOfSeveral && log.extendable();
    }

    /** What is kept of a log that was lost: its leases may still last, and no token may be used again. */
    LogView lost() {
        LogView known = new LogView();
        known.reopened = true;
        known.longestLease = LongestLease.carried(longestLease());
        known.supersededBound = MonotonicTime.later(othersBound(), holderBound);
        known.newerUntil = newerUntil;
        known.largestToken = largestToken;
        return known;
    }

    /** Whether it was empty when it was opened, and nobody has claimed it since. */
    boolean wasEmpty() {
        return open && end == 0 && term == null;
    }

    boolean caughtUp() {
        return open && position >= end && reported;
    }

    /** Whether everything was read, and earlier records are needed. */
    boolean wantsEarlierRecords() {
        return position >= end && !reported;
    }

    /** The offset of the current term's claim; {@link Term#NONE} if no term is known. */
    long termOffset() {
        return term == null ? Term.NONE : term.offset();
    }

    /** The token of the current term; {@link Term#NONE} if no term is known. */
    long token() {
        return term == null ? Term.NONE : term.token();
    }

    boolean resigned() {
        return term != null && term.resigned();
    }

    /** The holder of the current term; null if it has resigned or no term is known. */
    @Nullable
    MemberId unresignedHolder() {
        return term == null || term.resigned() ? null : term.holder();
    }

    boolean isHeldBy(MemberId member) {
        return term != null && term.holder().equals(member);
    }

    /** Whether no effective record of the holder was read for half of its lease. */
    boolean isSilentAt(MonotonicTime now) {
        return now.hasReached(lastEffective.plusNanos(lease.toNanos() / 2));
    }

    /** Until when leases other than the current holder's may last, including those in records that were not read. */
    MonotonicTime othersBound() {
        MonotonicTime unread =
                hasUnreadLeases ? openedAt.plusNanos(Lease.withMargin(longestLease())) : MonotonicTime.PAST;
        return MonotonicTime.later(newerUntil, MonotonicTime.later(supersededBound, unread));
    }

    /** Until when the lease of a silent or unknown member may last. */
    MonotonicTime silentLeaseUntil(MonotonicTime now) {
        return isSilentAt(now) ? MonotonicTime.later(holderBound, othersBound()) : othersBound();
    }

    Duration longestLease() {
        return longestLease.value();
    }

    /**
     * Why this member must not lead by what it reads in this log. After a term, only members of its holder's
     * configuration may lead for one lease, so that others do not change what the group does.
     */
    Conflict conflict(MemberId self, PartitionConfig config, MonotonicTime now) {
        if (open && !now.hasReached(newerUntil)) {
            return Conflict.NEWER_VERSION;
        }
        if (!open || isHeldBy(self)) {
            return Conflict.NONE;
        }
        Term other = otherConfig(self, config, now);
        if (other != null) {
            return other.config().conflictWith(config);
        }
        return largestToken >= RecordCodec.LARGEST_TOKEN ? Conflict.NO_LARGER_TOKEN : Conflict.NONE;
    }

    /** The term of another member whose configuration keeps this one from leading; null if none. */
    @Nullable
    Term otherConfig(MemberId self, PartitionConfig config, MonotonicTime now) {
        boolean keepsOut =
                term != null && !isHeldBy(self) && !term.config().equals(config) && !now.hasReached(followedUntil());
        return keepsOut ? term : null;
    }

    /** When a conflict may be over, unless more records prolong it; NEVER if time ends none. */
    MonotonicTime conflictUntil(MonotonicTime now) {
        if (!now.hasReached(newerUntil)) {
            return newerUntil;
        }
        return now.hasReached(followedUntil()) ? MonotonicTime.NEVER : followedUntil();
    }

    /** Until when only members with the holder's configuration may lead next. */
    private MonotonicTime followedUntil() {
        return MonotonicTime.later(resignedAt, holderBound).plus(lease);
    }

    /** The effect of a record. */
    record Read(boolean newTerm, boolean effective, boolean ignored) {

        private static final Read IGNORED = new Read(false, false, true);
    }

    /**
     * Takes a record into account.
     *
     * @param groupConfig the fingerprint of this member's group configuration
     */
    Read read(long offset, LogRecord record, MemberId self, String groupConfig, MonotonicTime now) {
        // Even a stale record shows how long unread leases may be, and which tokens were used.
        largestToken = Math.max(largestToken, record.sender().token());
        longestLease = longestLease.read(record, openedAt, now);
        Read read = apply(offset, record, self, now);
        if (record instanceof LogRecord.Heartbeat beat && !isOfFuture(beat, offset)) {
            readReport(beat, read.effective(), groupConfig);
        }
        return read;
    }

    private Read apply(long offset, LogRecord record, MemberId self, MonotonicTime now) {
        if (record instanceof LogRecord.Claim claim) {
            renew(begin(offset, claim), offset, claim, self, now);
            return new Read(true, true, false);
        }
        if (record instanceof LogRecord.Heartbeat heartbeat) {
            return applyHeartbeat(offset, heartbeat, self, now);
        }
        if (record instanceof LogRecord.Resign resign) {
            if (term == null || resign.term() != term.offset() || !isHeldBy(resign.member())) {
                return Read.IGNORED;
            }
            term = term.resign();
            holderBound = MonotonicTime.PAST;
            resignedAt = now;
            successor = resign.successor();
            written = List.of();
        }
        return new Read(false, false, false);
    }

    private Read applyHeartbeat(long offset, LogRecord.Heartbeat heartbeat, MemberId self, MonotonicTime now) {
        boolean isNew = heartbeat.term() > termOffset();
        boolean renews = heartbeat.term() == termOffset() && !resigned() && isHeldBy(heartbeat.member());
        if (isOfFuture(heartbeat, offset) || !(isNew || renews)) {
            return Read.IGNORED;
        }
        // If the claim of a new term was not read, it lies before the start, or in a gap of the log.
        Term its = term == null || isNew ? begin(heartbeat.term(), heartbeat) : term;
        renew(its, offset, heartbeat, self, now);
        led |= heartbeat.leading();
        return new Read(isNew, true, false);
    }

    /** Whether it names offsets that did not exist when it was written: it is of another log. */
    private static boolean isOfFuture(LogRecord.Heartbeat heartbeat, long offset) {
        return heartbeat.term() >= offset || heartbeat.upTo() > offset;
    }

    /** A new term begins. The lease of the previous one may last longer, unless it was resigned. */
    private Term begin(long claimedAt, LogRecord.Leasing record) {
        supersededBound = MonotonicTime.later(supersededBound, holderBound);
        holderBound = MonotonicTime.PAST;
        led = false;
        resignedAt = MonotonicTime.PAST;
        successor = null;
        written = List.of();
        LogRecord.Grant grant = record.grant();
        return new Term(claimedAt, record.sender().token(), record.member(), false, grant.config(), grant.metadata());
    }

    /** An effective record of the term was read. */
    private void renew(Term renewed, long offset, LogRecord.Leasing record, MemberId self, MonotonicTime now) {
        term = renewed.withToken(record.sender().token());
        lastEffective = now;
        lease = record.grant().lease();
        if (!record.member().equals(self)) {
            holderBound = MonotonicTime.later(holderBound, now.plusNanos(Lease.withMargin(lease)));
        }
        if (!(record instanceof LogRecord.Heartbeat heartbeat) || heartbeat.mark() != null) {
            // As many as a sender remembers: if more are in flight, its lease is over.
            LogRecord.Written read =
                    new LogRecord.Written(offset, record.grant().sequence());
            written = Outgoing.remembering(written, read);
        }
    }

    /** Takes into account what a heartbeat tells about the log before it. */
    private void readReport(LogRecord.Heartbeat heartbeat, boolean effective, String groupConfig) {
        LogRecord.Mark mark = heartbeat.mark();
        boolean tells = effective && (mark == null || readsThisLog(mark));
        if (tells && mark != null) {
            identity = identity.updatedBy(mark.identity());
        }
        reported |= heartbeat.upTo() >= start && (identity.isKnown() || !seeksIdentity);
        if (tells && hasWaited(heartbeat, groupConfig)) {
            hasUnreadLeases = false;
            supersededBound = MonotonicTime.PAST;
        }
    }

    /** Whether the sender of the mark reads the same log. Mostly, the mark names one of the latest records. */
    private boolean readsThisLog(LogRecord.Mark mark) {
        return written.lastIndexOf(mark.lastRead()) >= 0;
    }

    /** The latest of the records that are remembered; null if none. */
    LogRecord.@Nullable Written latestWritten() {
        return written.isEmpty() ? null : written.get(written.size() - 1);
    }

    /** A leader of the same group configuration that had read up to our start has waited for all earlier leases. */
    private boolean hasWaited(LogRecord.Heartbeat heartbeat, String groupConfig) {
        return heartbeat.leading()
                && heartbeat.upTo() >= start
                && heartbeat.grant().config().group().equals(groupConfig);
    }

    /** A record that this version cannot read may have granted a lease as long as the longest known one. */
    void readNewer(Decoded.Newer record, MonotonicTime now) {
        largestToken = Math.max(largestToken, record.token());
        longestLease = longestLease.read(record.longestLease(), now);
        newerUntil = MonotonicTime.later(newerUntil, now.plusNanos(Lease.withMargin(longestLease())));
    }
}
