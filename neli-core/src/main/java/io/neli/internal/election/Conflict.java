package io.neli.internal.election;

/** Why a member must not lead: the most serious reason is the last. */
public enum Conflict {
    NONE,
    /** A record carries the largest possible token, so no claim in its partition can carry a larger one. */
    NO_LARGER_TOKEN,
    /** Another member leads a partition for another role than this one would, or did within the last lease. */
    ROLES,
    /** Another member leads with another group configuration, or did within the last lease. */
    GROUP_CONFIG,
    /** Records of a newer version arrive, and any of them may have granted a lease. */
    NEWER_VERSION;

    /** Whether it keeps a member out of other partitions too, not only out of the one where it was found. */
    boolean isOfSeveral() {
        return compareTo(NO_LARGER_TOKEN) > 0;
    }

    Conflict orWorse(Conflict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
