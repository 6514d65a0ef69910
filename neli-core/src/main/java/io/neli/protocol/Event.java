package io.neli.protocol;

/** A change of this member's leadership of a partition. */
public sealed interface Event {

    /** The term's fencing token. */
    long token();

    record Acquired(long token) implements Event {}

    record Revoked(long token, RevokeReason reason) implements Event {}

    record Fenced(long token, FenceReason reason) implements Event {}
}
