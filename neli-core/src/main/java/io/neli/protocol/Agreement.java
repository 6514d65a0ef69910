package io.neli.protocol;

/**
 * What all members of a group must have in common. One that meets another agreement in its group does not stand; to change
 * it, all members are stopped first.
 *
 * @param mode the mode
 * @param partitions how many partitions are units of leadership
 * @param roles a fingerprint of the list of roles
 */
public record Agreement(Mode mode, int partitions, String roles) {

    /** An agreement on more partitions than this is none: whoever heeds it would run out of memory. */
    public static final int MOST_PARTITIONS = 10_000;
}
