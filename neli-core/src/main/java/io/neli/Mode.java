package io.neli;

/** What a group promises; the same on every member. */
public enum Mode {
    /** At most one member leads a role at a time. */
    EXCLUSIVE,
    /** Leadership has no gap while an eligible member is alive; two members may lead for less than a lease. */
    NON_EXCLUSIVE
}
