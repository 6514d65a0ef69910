package io.neli.internal.election;

/** Whether a member holds a log. */
enum Hold {
    NONE,
    /** Its claim is the latest; waits until all earlier leases are over. */
    CLAIMED,
    /** No other member holds the log, as long as its lease lasts. */
    HELD
}
