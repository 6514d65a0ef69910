package io.neli.internal.election;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/**
 * What the members of a group must agree on. A member whose group uses another mode or quorum is not eligible; to
 * change them, stop all members first. Where each partition has a role of its own, members may know more or fewer of
 * them: one is not eligible from the first partition on that has another role for the others. Where the number of
 * partitions is given, all must have the same list.
 *
 * @param mode exclusive or not
 * @param partitions how many partitions of the topic this member uses
 * @param spread a fingerprint of the list of roles that all members must have; empty where each partition has a role of
 *     its own
 * @param roles the role of each partition; empty where there is a fingerprint
 * @param quorum on how many logs each partition lies; a member leads while it holds a majority of them
 */
public record GroupConfig(Mode mode, int partitions, String spread, List<String> roles, int quorum) {

    /** The most partitions that a group may use; group data with more is not read. */
    public static final int MOST_PARTITIONS = 10_000;

    /** A number of partitions that was given, each of which lies on one log. */
    public GroupConfig(Mode mode, int partitions, String spread) {
        this(mode, partitions, spread, 1);
    }

    /** A number of partitions that was given. */
    public GroupConfig(Mode mode, int partitions, String spread, int quorum) {
        this(mode, partitions, spread, List.of(), quorum);
    }

    /** Each partition has a role of its own. */
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

    /** A text that is the same for members that agree on all of the above but the roles; others only compare it. */
    public String fingerprint() {
        String text = mode.name().toLowerCase(Locale.ROOT);
        if (!spread.isEmpty()) {
            text += "/" + partitions + "/" + spread;
        }
        return quorum == 1 ? text : text + "/" + quorum;
    }

    /** What must be agreed on to lead that partition. */
    public PartitionConfig of(int partition) {
        return new PartitionConfig(fingerprint(), roleOf(partition));
    }

    private @Nullable String roleOf(int partition) {
        return roles.isEmpty() ? null : roles.get(partition);
    }

    /** Whether the role that maps to the partition here is the one that is led in that term. */
    boolean isLed(int partition, Term term) {
        return Objects.equals(term.config().role(), roleOf(partition));
    }

    /** How many logs are a majority. */
    public int majority() {
        return quorum / 2 + 1;
    }
}
