package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * What members must agree on to lead a partition one after the other. Claims and heartbeats carry it.
 *
 * @param group what they must agree on for all partitions, see {@link GroupConfig#fingerprint}
 * @param role the role that maps to the partition; null if the group's configuration determines it
 */
public record PartitionConfig(String group, @Nullable String role) {

    /** Why a member must not lead next to one of another configuration. */
    public Conflict conflictWith(PartitionConfig other) {
        return group.equals(other.group) ? Conflict.ROLES : Conflict.GROUP_CONFIG;
    }
}
