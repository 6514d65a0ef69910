package io.neli.internal.election;

/**
 * The leases that records before a reader's start may have granted: none longer than the longest lease known, and none from
 * a record sent after the log's end offset was known.
 *
 * @param start the first offset that is read
 * @param answeredAt when the log's end offset was known
 * @param longest the longest lease known
 * @param applies false if the log was empty, and once a leader is known to have waited for these leases
 * @param reported whether a record was read whose sender knew everything before the start, so that it tells the longest lease
 *     and the largest token in there; or whether these must be taken from what was read
 * @param seeksIdentity whether such a record must also tell which log it is
 */
record UnreadLeases(
        long start,
        MonotonicTime answeredAt,
        LongestLease longest,
        boolean applies,
        boolean reported,
        boolean seeksIdentity) {

    MonotonicTime until() {
        return applies ? answeredAt.plusNanos(ObservedTerm.withMargin(longest.value())) : MonotonicTime.PAST;
    }

    UnreadLeases withLongest(LongestLease lease) {
        return new UnreadLeases(start, answeredAt, lease, applies, reported, seeksIdentity);
    }

    UnreadLeases ended() {
        return applies ? new UnreadLeases(start, answeredAt, longest, false, reported, seeksIdentity) : this;
    }

    UnreadLeases reportedBy(LogRecord.Heartbeat heartbeat, LogIdentity log) {
        return !reported && heartbeat.upTo() >= start && (log.isKnown() || !seeksIdentity)
                ? new UnreadLeases(start, answeredAt, longest, applies, true, seeksIdentity)
                : this;
    }
}
