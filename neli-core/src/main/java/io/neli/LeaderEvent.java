package io.neli;

/**
 * A change of this member's leadership. Each term that is led brings {@link LeaderAcquired} first, then
 * {@link LeaderRevoked}, {@link LeaderFenced}, or the one and then the other; none is merged or left out.
 *
 * <p>Roles on one partition share its terms and their tokens: each event comes once for every listed role on the partition, in
 * the order of the list; where none of the list lies there, for {@link Neli#DEFAULT_ROLE} on partition 0 and for
 * {@code partition-N} on another.
 */
public sealed interface LeaderEvent permits LeaderAcquired, LeaderRevoked, LeaderFenced {

    /** The role. */
    String role();

    /** The partition of the leader topic that the role lies on. */
    int partition();

    /** The term's fencing token. */
    long token();
}
