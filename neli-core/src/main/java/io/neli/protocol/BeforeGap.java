package io.neli.protocol;

import java.time.Duration;

/**
 * What outlasts the loss of a log: its holder and its records are forgotten, but the leases that they granted may last.
 *
 * @param longestLease the longest seen
 * @param bound until when a foreign lease may last
 */
record BeforeGap(Duration longestLease, MonotonicTime bound) {

    static final BeforeGap NONE = new BeforeGap(Duration.ZERO, MonotonicTime.PAST);

    static BeforeGap of(LogView lost) {
        return new BeforeGap(
                lost.startBound().longestLease(), MonotonicTime.later(lost.othersBound(), lost.holderBound()));
    }
}
