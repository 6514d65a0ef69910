package io.neli.internal.election;

import java.time.Duration;

/**
 * What outlasts the loss of a log: its holder and its records are forgotten, but the leases that they granted may last.
 *
 * @param longestLease the longest seen
 * @param bound until when a foreign lease may last
 */
record CarriedLeases(Duration longestLease, MonotonicTime bound) {

    static final CarriedLeases NONE = new CarriedLeases(Duration.ZERO, MonotonicTime.PAST);

    static CarriedLeases of(LogView lost) {
        return new CarriedLeases(
                lost.unreadLeases().longestLease(), MonotonicTime.later(lost.othersBound(), lost.holderBound()));
    }
}
