package io.neli.internal.election;

import java.util.List;
import java.util.Locale;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/**
 * What the members of a group must agree on. A member whose group uses another mode or quorum is not eligible; to
 * change them, stop all members first. If each partition has one role, some members may know more roles than others: a
 * member is not eligible from the first partition on that has another role for the others. If the number of partitions
 * is given, all members must have the same list of roles.
 *
 * @param mode exclusive or not
 * @param partitions how many partitions of the topic this member uses
 * @param spread a fingerprint of the list of roles, if the number of partitions is given; empty if each has one role
 * @param roles the role of each partition; empty if the number of partitions is given
 * @param quorum how many logs each partition has; a member leads while it holds a majority of them
 */
public record GroupConfig(Mode mode, int partitions, String spread, List<String> roles, int quorum) {

    /** The most partitions that a group may use; group data with more is not read. */
    public static final int MOST_PARTITIONS = 10_000;

    /** For a given number of partitions. */
    public GroupConfig(Mode mode, int partitions, String spread, int quorum) {
        this(mode, partitions, spread, List.of(), quorum);
    }

    /** For partitions with one role each. */
    public GroupConfig(Mode mode, List<String> roles, int quorum) {
        this(mode, roles.size(), "", roles, quorum);
    }

    public GroupConfig {
        roles = List.copyOf(roles);
        if (quorum < 1 || quorum % 2 == 0) {
            throw new IllegalArgumentException("quorum: " + quorum);
        }
        if (partitions < 1 || partitions > MOST_PARTITIONS) {
            throw new IllegalArgumentException("partitions: " + partitions);
        }
        if (spread.isEmpty() != (roles.size() == partitions)) {
            throw new IllegalArgumentException("roles: " + roles);
        }
    }

    /** A text that is equal for members that agree on all but {@link #roles} and their number. It is only compared. */
    public String fingerprint() {
        String text = mode.name().toLowerCase(Locale.ROOT);
        if (!spread.isEmpty()) {
            text += "/" + partitions + "/" + spread;
        }
        return quorum == 1 ? text : text + "/" + quorum;
    }

    /** What members must agree on to lead that partition. */
    public PartitionConfig of(int partition) {
        return new PartitionConfig(fingerprint(), roleOf(partition));
    }

    @Nullable
    String roleOf(int partition) {
        return roles.isEmpty() ? null : roles.get(partition);
    }

    public int majority() {
        return quorum / 2 + 1;
    }
}
