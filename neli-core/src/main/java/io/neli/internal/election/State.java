package io.neli.internal.election;

/** The state of a member on a partition. */
public enum State {
    /** Follows the log. */
    STANDBY,
    /** Its claim is the latest. It waits until all earlier leases are over. */
    CLAIMED,
    /** Leads, as long as its lease lasts. */
    LEADING,
    /** No longer leads, but keeps others from leading until its work has ended. */
    DRAINING
}
