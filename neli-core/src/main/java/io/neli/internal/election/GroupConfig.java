package io.neli.internal.election;

import java.util.Locale;

import io.neli.Mode;

/**
 * What all members of a group must have in common. A member whose group uses another configuration is not eligible; to
 * change it, stop all members first.
 *
 * @param mode exclusive or not
 * @param partitions how many partitions of the topic are used
 * @param roles a fingerprint of the list of roles
 * @param quorum on how many logs each partition lies; a member leads while it holds a majority of them
 */
public record GroupConfig(Mode mode, int partitions, String roles, int quorum) {

    /** The most partitions that a group may use; group data with more is not read. */
    public static final int MOST_PARTITIONS = 10_000;

    /** Each partition lies on one log. */
    public GroupConfig(Mode mode, int partitions, String roles) {
        this(mode, partitions, roles, 1);
    }

    public GroupConfig {
        if (quorum < 1 || quorum % 2 == 0) {
            throw new IllegalArgumentException("quorum: " + quorum);
        }
        if (partitions < 1 || partitions > MOST_PARTITIONS) {
            throw new IllegalArgumentException("partitions: " + partitions);
        }
    }

    /** A text that is the same for equal configurations only; others compare it, and never take it apart. */
    public String fingerprint() {
        String ofOneLog = mode.name().toLowerCase(Locale.ROOT) + "/" + partitions + "/" + roles;
        return quorum == 1 ? ofOneLog : ofOneLog + "/" + quorum;
    }

    /** How many logs are a majority. */
    public int majority() {
        return quorum / 2 + 1;
    }
}
