package io.neli.internal.election;

/**
 * One reading of both clocks of a member. The wall clock counts only where it shortens a lease: the monotonic clock stands
 * still while a virtual machine is suspended.
 *
 * @param time the monotonic clock
 * @param wallMillis the wall clock, milliseconds since the epoch
 */
public record Moment(MonotonicTime time, long wallMillis) {}
