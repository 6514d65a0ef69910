package io.neli;

/**
 * A change of this member's leadership. Each term that is led brings {@link LeaderAcquired} first, then
 * {@link LeaderRevoked}, {@link LeaderFenced}, or the one and then the other; none is merged or left out.
 */
public sealed interface LeaderEvent permits LeaderAcquired, LeaderRevoked, LeaderFenced {

    /** The role. */
    String role();

    /** The term's fencing token. */
    long token();
}
