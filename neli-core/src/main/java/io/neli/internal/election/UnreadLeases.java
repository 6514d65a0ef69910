package io.neli.internal.election;

import java.time.Duration;

/**
 * Covers what a reader has not read because it lies before its start: any of those records may have granted a lease, none of
 * them one longer than the longest lease seen, and none later than the instant the end offset was answered.
 *
 * @param start the first offset that is read
 * @param answeredAt when the end offset was answered
 * @param longestLease this member's own, or the longest in any record read so far
 * @param applies false for a log that was empty, and once a leader has answered for the earlier leases
 */
record UnreadLeases(long start, MonotonicTime answeredAt, Duration longestLease, boolean applies) {

    MonotonicTime until() {
        return applies ? answeredAt.plusNanos(ObservedTerm.withMargin(longestLease)) : MonotonicTime.PAST;
    }

    UnreadLeases withLongest(Duration lease) {
        return new UnreadLeases(start, answeredAt, lease, applies);
    }

    UnreadLeases ended() {
        return applies ? new UnreadLeases(start, answeredAt, longestLease, false) : this;
    }
}
