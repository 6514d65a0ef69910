package io.neli;

/** What a group promises; must be the same on every member. */
public enum Mode {
    /** At most one member leads a role at a time. */
    EXCLUSIVE,
    /** A handover leaves no gap; for less than a lease, or two leases with a quorum, two members may lead. */
    NON_EXCLUSIVE
}
