package io.neli;

/** What a group promises; must be the same on every member. */
public enum Mode {
    /** At most one member leads a role at a time. */
    EXCLUSIVE,
    /** Leadership has no gap while an eligible member is alive; for less than a lease, two members may lead. */
    NON_EXCLUSIVE
}
