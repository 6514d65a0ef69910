package io.neli.internal.election;

/** Why a member must not lead next to the others, the most serious last. */
public enum Conflict {
    NONE,
    /** A record carries the largest token that there can be, so no claim in its partition can carry a larger one. */
    NO_LARGER_TOKEN,
    /** In a partition another member leads another role than this one would, or did within the last lease. */
    ROLES,
    /** Another member leads with another group configuration, or did within the last lease. */
    GROUP_CONFIG,
    /** Records of a newer version come, and any of them may have granted a lease. */
    NEWER_VERSION;

    /** Whether it keeps a member out of more than the partition where it was found. */
    boolean isOfSeveral() {
        return compareTo(NO_LARGER_TOKEN) > 0;
    }

    Conflict orWorse(Conflict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
