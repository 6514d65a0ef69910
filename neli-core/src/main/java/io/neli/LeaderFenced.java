package io.neli;

import io.neli.protocol.FenceReason;

/**
 * This member leads no longer, and another may lead already: stop now. Running gated work is interrupted.
 *
 * @param role the role
 * @param partition the partition of the leader topic that the role lies on
 * @param token the term's fencing token
 * @param reason why
 */
public record LeaderFenced(String role, int partition, long token, FenceReason reason) implements LeaderEvent {}
