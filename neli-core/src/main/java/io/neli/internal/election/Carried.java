package io.neli.internal.election;

import java.time.Duration;

/**
 * What is kept when a log is lost: its records and its holder are forgotten, but leases that they granted may still last, and no
 * token may come back.
 *
 * @param longestLease the longest lease seen
 * @param bound until when another member's lease may last
 * @param newerUntil until when a lease may last that a newer version has granted
 * @param largestToken the largest token seen
 */
record Carried(Duration longestLease, MonotonicTime bound, MonotonicTime newerUntil, long largestToken) {

    static final Carried NONE = new Carried(Duration.ZERO, MonotonicTime.PAST, MonotonicTime.PAST, 0);

    static Carried from(LogView lost) {
        return new Carried(
                lost.longestLease(),
                MonotonicTime.later(lost.othersBound(), lost.holderBound()),
                lost.newerUntil(),
                lost.largestToken());
    }
}
