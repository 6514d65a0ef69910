package io.neli;

import io.neli.protocol.RevokeReason;

/**
 * This member gives up leading, in good order: wrap up. {@link Neli#isLeader()} is false already and no gated work starts;
 * nobody else leads before the listeners have returned and running work has ended, or the handover timeout is over
 * ({@link LeaderFenced} follows then). With {@link io.neli.protocol.Mode#NON_EXCLUSIVE} the next usually leads already.
 *
 * @param role the role
 * @param partition the partition of the leader topic that the role lies on
 * @param token the term's fencing token
 * @param reason why
 */
public record LeaderRevoked(String role, int partition, long token, RevokeReason reason) implements LeaderEvent {}
