package io.neli.internal.election;

/** Why a member must not lead next to the others. */
public enum Conflict {
    NONE,
    /** Another member leads with another group configuration, or did within the last lease. */
    GROUP_CONFIG,
    /** A record carries the largest token that there can be, so no claim can carry a larger one. */
    NO_LARGER_TOKEN,
    /** Records of a newer version come, and any of them may have granted a lease. */
    NEWER_VERSION
}
