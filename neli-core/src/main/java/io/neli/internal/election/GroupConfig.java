package io.neli.internal.election;

import io.neli.Mode;

/**
 * What all members of a group must have in common. One that meets another agreement in its group does not stand; to change
 * it, all members are stopped first.
 *
 * @param mode the mode
 * @param partitions how many partitions are units of leadership
 * @param roles a fingerprint of the list of roles
 */
public record GroupConfig(Mode mode, int partitions, String roles) {

    /** More partitions than this are not ours. */
    public static final int MOST_PARTITIONS = 10_000;

    public GroupConfig {
        if (partitions < 1 || partitions > MOST_PARTITIONS) {
            throw new IllegalArgumentException("partitions: " + partitions);
        }
    }
}
