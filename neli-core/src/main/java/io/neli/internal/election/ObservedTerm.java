package io.neli.internal.election;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The latest term in the log, and what this member knows about its holder.
 *
 * @param lastEffective when its latest effective record was read
 * @param lease the lease in that record
 * @param bound until when the lease may last, if the holder is another member and has not resigned
 * @param led whether the holder has reported that it leads, rather than waits for earlier leases
 * @param resignedAt when the holder's resignation was read; {@link MonotonicTime#PAST} before
 * @param successor the member that the holder has invited to claim; null if none
 * @param written its latest effective records, if the partition lies on several logs; otherwise only the claim, if read
 */
record ObservedTerm(
        Term term,
        MonotonicTime lastEffective,
        Duration lease,
        MonotonicTime bound,
        boolean led,
        MonotonicTime resignedAt,
        @Nullable MemberHash successor,
        List<LogRecord.Written> written) {

    /**
     * By how much the rates of two members' clocks may differ: one percent. A time service that slews the clock changes
     * the rate of {@code System.nanoTime} too; chrony by up to 8.3 % unless its {@code maxslewrate} is set.
     */
    private static final long DRIFT_MARGIN_DIVISOR = 100;

    static long withMargin(Duration lease) {
        long nanos = lease.toNanos();
        return nanos + nanos / DRIFT_MARGIN_DIVISOR;
    }

    /** A term begins with its claim, or with the first heartbeat that names it. */
    static ObservedTerm begun(Term term, long offset, LogRecord.Leasing record, MemberId self, MonotonicTime now) {
        Duration lease = record.grant().lease();
        return new ObservedTerm(term, now, lease, MonotonicTime.PAST, false, MonotonicTime.PAST, null, List.of())
                .renewed(offset, record, self, now);
    }

    ObservedTerm renewed(long offset, LogRecord.Leasing record, MemberId self, MonotonicTime now) {
        Duration granted = record.grant().lease();
        MonotonicTime later =
                record.member().equals(self) ? bound : MonotonicTime.later(bound, now.plusNanos(withMargin(granted)));
        boolean leads = led || (record instanceof LogRecord.Heartbeat heartbeat && heartbeat.leading());
        Term known = term.withToken(record.sender().token());
        return new ObservedTerm(known, now, granted, later, leads, resignedAt, successor, remember(offset, record));
    }

    ObservedTerm resigned(@Nullable MemberHash invited, MonotonicTime now) {
        return new ObservedTerm(term.resign(), lastEffective, lease, MonotonicTime.PAST, led, now, invited, List.of());
    }

    /** Until when only members with its configuration may lead next. */
    MonotonicTime followedUntil() {
        return MonotonicTime.later(resignedAt, bound).plus(lease);
    }

    private List<LogRecord.Written> remember(long offset, LogRecord.Leasing record) {
        if (record instanceof LogRecord.Heartbeat heartbeat && heartbeat.mark() == null) {
            return written;
        }
        // As many as a sender remembers: if more are in flight, its lease is over.
        return Outgoing.remembering(
                written, new LogRecord.Written(offset, record.grant().sequence()));
    }

    /** Whether the sender of a heartbeat reads the log that this member reads. */
    boolean isRead(LogRecord.Mark mark) {
        return written.contains(mark.lastRead());
    }

    /** The latest of the records that are remembered; null if none. */
    LogRecord.@Nullable Written latest() {
        return written.isEmpty() ? null : written.get(written.size() - 1);
    }
}
