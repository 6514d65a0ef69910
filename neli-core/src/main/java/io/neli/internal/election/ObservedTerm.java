package io.neli.internal.election;

import java.time.Duration;

/**
 * The latest term in the log, and what this member knows of its holder.
 *
 * @param term the term
 * @param lastEffective when its latest effective record was read
 * @param lease the lease in that record
 * @param bound until when the lease may last, if the holder is another member and has not resigned
 * @param led whether the holder has reported that it leads, and is not just waiting for earlier leases
 * @param resignedAt when the holder's resignation was read; {@link MonotonicTime#PAST} before
 */
record ObservedTerm(
        Term term,
        MonotonicTime lastEffective,
        Duration lease,
        MonotonicTime bound,
        boolean led,
        MonotonicTime resignedAt) {

    /** By how much the rates of two members' clocks may differ: one percent. */
    private static final long DRIFT_MARGIN_DIVISOR = 100;

    static long withMargin(Duration lease) {
        long nanos = lease.toNanos();
        return nanos + nanos / DRIFT_MARGIN_DIVISOR;
    }

    /** A term begins with its claim, or with the first heartbeat that names it. */
    static ObservedTerm begun(Term term, LogRecord.Leasing record, MemberId self, MonotonicTime now) {
        return new ObservedTerm(term, now, record.lease(), MonotonicTime.PAST, false, MonotonicTime.PAST)
                .renewed(record, self, now);
    }

    ObservedTerm renewed(LogRecord.Leasing record, MemberId self, MonotonicTime now) {
        MonotonicTime later = record.member().equals(self)
                ? bound
                : MonotonicTime.later(bound, now.plusNanos(withMargin(record.lease())));
        boolean leads = led || (record instanceof LogRecord.Heartbeat heartbeat && heartbeat.leading());
        return new ObservedTerm(term, now, record.lease(), later, leads, resignedAt);
    }

    ObservedTerm resigned(MonotonicTime now) {
        return new ObservedTerm(term.resign(), lastEffective, lease, MonotonicTime.PAST, led, now);
    }
}
