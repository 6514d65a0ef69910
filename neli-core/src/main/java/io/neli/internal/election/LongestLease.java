package io.neli.internal.election;

import java.time.Duration;

/**
 * The longest lease that may still last. Members report it to each other. It is forgotten once it is over: otherwise a
 * long lease, named once, would delay every later start.
 *
 * @param own this member's lease
 * @param recent the longest lease that was read in the current period
 * @param before the longest lease that was read in the previous period
 * @param since when the current period began: the log was opened, or the lease until then was over
 */
record LongestLease(Duration own, Duration recent, Duration before, MonotonicTime since) {

    /** For a log that was never read. */
    static final LongestLease NONE = carried(Duration.ZERO);

    /** What is kept when a log is lost. */
    static LongestLease carried(Duration longest) {
        return new LongestLease(longest, longest, longest, MonotonicTime.PAST);
    }

    static LongestLease opened(Duration own, Duration carried, MonotonicTime now) {
        return new LongestLease(own, longer(own, carried), own, now);
    }

    Duration value() {
        return longer(recent, before);
    }

    /** Takes into account what a record grants and reports, in a log that was opened at that time. */
    LongestLease read(LogRecord record, MonotonicTime openedAt, MonotonicTime now) {
        Duration told = record.sender().longestLease();
        boolean over = now.hasReached(openedAt.plusNanos(Lease.withMargin(told)));
        LongestLease next = over ? this : read(told, now); // those that still last were read themselves
        return record instanceof LogRecord.Leasing leasing
                ? next.read(leasing.grant().lease(), now)
                : next;
    }

    /** Takes into account a lease that a record grants or reports. */
    LongestLease read(Duration lease, MonotonicTime now) {
        boolean isLong = value().compareTo(own) > 0;
        boolean over = isLong && now.hasReached(since.plusNanos(Lease.withMargin(value())));
        LongestLease current = over ? new LongestLease(own, own, recent, now) : this;
        return lease.compareTo(current.recent) > 0
                ? new LongestLease(own, lease, current.before, current.since)
                : current;
    }

    static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
