package io.neli.internal.election;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What members must agree on to lead a partition one after the other. Claims and heartbeats carry it.
 *
 * @param group what they must agree on for all partitions, see {@link GroupConfig#fingerprint}
 * @param role the role that maps to the partition; null if the group's configuration determines it
 */
public record PartitionConfig(String group, @Nullable String role) {

    Conflict conflictWith(PartitionConfig other) {
        if (!group.equals(other.group)) {
            return Conflict.GROUP_CONFIG;
        }
        return Objects.equals(role, other.role) ? Conflict.NONE : Conflict.ROLES;
    }
}
