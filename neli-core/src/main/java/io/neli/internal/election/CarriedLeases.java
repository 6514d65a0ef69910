package io.neli.internal.election;

import java.time.Duration;

/**
 * What is kept when a log is lost: its records and its holder are forgotten, but leases that they granted may still last.
 *
 * @param longestLease the longest lease seen
 * @param bound until when another member's lease may last
 */
record CarriedLeases(Duration longestLease, MonotonicTime bound) {

    static final CarriedLeases NONE = new CarriedLeases(Duration.ZERO, MonotonicTime.PAST);

    static CarriedLeases of(LogView lost) {
        return new CarriedLeases(
                lost.unreadLeases().longestLease(), MonotonicTime.later(lost.othersBound(), lost.holderBound()));
    }
}
