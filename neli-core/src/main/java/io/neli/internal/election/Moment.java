package io.neli.internal.election;

/**
 * A reading of both of a member's clocks. The wall clock can only shorten a lease: it is needed because the monotonic
 * clock stops while a virtual machine is suspended.
 *
 * @param time the monotonic clock
 * @param wallMillis the wall clock, in milliseconds since the epoch
 */
public record Moment(MonotonicTime time, long wallMillis) {}
