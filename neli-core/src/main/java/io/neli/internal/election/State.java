package io.neli.internal.election;

/** What a member is on a partition. */
public enum State {
    /** Follows the log. */
    STANDBY,
    /** Its claim is the latest; waits until no earlier lease can last. */
    CLAIMED,
    /** Leads, as long as its lease lasts. */
    LEADING,
    /** Leads no longer, and keeps others from it until its work has ended. */
    DRAINING
}
