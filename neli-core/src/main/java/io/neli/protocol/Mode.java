package io.neli.protocol;

/** What a group promises: never two leaders, or never none. */
public enum Mode {
    EXCLUSIVE,
    NON_EXCLUSIVE
}
