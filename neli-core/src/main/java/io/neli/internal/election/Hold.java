package io.neli.internal.election;

/** Whether a member holds a log. */
enum Hold {
    NONE,
    /** Its claim is the latest. It waits until all earlier leases are over. */
    CLAIMED,
    /** As long as its lease lasts, no other member holds the log. */
    HELD
}
