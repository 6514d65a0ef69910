package io.neli;

/**
 * This member leads: prepare. {@link Neli#isLeader()} is true already; gated work starts when the listeners have returned. A
 * listener that throws makes the member resign.
 *
 * @param role the role
 * @param partition the partition of the leader topic that the role lies on
 * @param token the term's fencing token
 */
public record LeaderAcquired(String role, int partition, long token) implements LeaderEvent {}
