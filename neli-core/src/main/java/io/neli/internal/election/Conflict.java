package io.neli.internal.election;

/** Why a member must not lead next to the others, the most serious last. */
public enum Conflict {
    NONE,
    /** A record carries the largest token that there can be, so no claim in its partition can carry a larger one. */
    NO_LARGER_TOKEN,
    /** Another member leads with another group configuration, or did within the last lease. */
    GROUP_CONFIG,
    /** Records of a newer version come, and any of them may have granted a lease. */
    NEWER_VERSION;

    /** Whether it concerns all partitions. */
    boolean isOfGroup() {
        return compareTo(NO_LARGER_TOKEN) > 0;
    }
}
