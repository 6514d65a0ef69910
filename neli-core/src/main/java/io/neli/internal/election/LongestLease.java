package io.neli.internal.election;

import java.time.Duration;

/**
 * The longest lease that may last, and that the members tell each other. What records have granted is forgotten when it
 * is over: otherwise a long lease, named once, would delay each start for ever.
 *
 * @param own this member's lease
 * @param recent the longest that was read since
 * @param before the longest that was read in as long a time before
 * @param since when the log was opened, or the last lease was forgotten
 */
record LongestLease(Duration own, Duration recent, Duration before, MonotonicTime since) {

    /** Of a log that was never read. */
    static final LongestLease NONE = carried(Duration.ZERO);

    /** What is kept of a log that was lost. */
    static LongestLease carried(Duration longest) {
        return new LongestLease(longest, longest, longest, MonotonicTime.PAST);
    }

    static LongestLease opened(Duration own, Duration carried, MonotonicTime now) {
        return new LongestLease(own, longer(own, carried), own, now);
    }

    Duration value() {
        return longer(recent, before);
    }

    /** A record was read of a log that was opened at that time. */
    LongestLease read(LogRecord record, MonotonicTime openedAt, MonotonicTime now) {
        Duration told = record.sender().longestLease();
        boolean over = now.hasReached(openedAt.plusNanos(ObservedTerm.withMargin(told)));
        LongestLease next =
                over ? this : read(told, now); // each that still lasts was granted by a record that was read
        return record instanceof LogRecord.Leasing leasing
                ? next.read(leasing.grant().lease(), now)
                : next;
    }

    /** A record was read that grants that lease, or that tells of it. */
    LongestLease read(Duration lease, MonotonicTime now) {
        boolean isLong = value().compareTo(own) > 0;
        boolean over = isLong && now.hasReached(since.plusNanos(ObservedTerm.withMargin(value())));
        LongestLease current = over ? new LongestLease(own, own, recent, now) : this;
        return lease.compareTo(current.recent) > 0
                ? new LongestLease(own, lease, current.before, current.since)
                : current;
    }

    static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
