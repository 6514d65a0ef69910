package io.neli.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A {@link NeliSnapshot} as {@link NeliEndpoint} shows it; what is not known is {@code null}.
 *
 * @param name this member's name
 * @param groupId the contending group
 * @param topic the leader topic
 * @param status whether the election itself works
 * @param problem what keeps it from working or needs attention
 * @param eligible whether this member may lead
 * @param paused whether it was paused
 * @param groupMembers how many members the consumer group had at its last assignment
 * @param partitions the units of leadership
 * @param ignoredRecords how many records of each kind were read and ignored
 */
public record NeliDescriptor(
        String name,
        String groupId,
        String topic,
        NeliSnapshot.Status status,
        @Nullable String problem,
        boolean eligible,
        boolean paused,
        int groupMembers,
        List<PartitionDescriptor> partitions,
        Map<String, Long> ignoredRecords)
        implements OperationResponseBody {

    static NeliDescriptor of(NeliSnapshot snapshot) {
        return new NeliDescriptor(
                snapshot.name(),
                snapshot.groupId(),
                snapshot.topic(),
                snapshot.status(),
                snapshot.problem().orElse(null),
                snapshot.eligible(),
                snapshot.paused(),
                snapshot.groupMembers(),
                snapshot.partitions().stream().map(PartitionDescriptor::of).toList(),
                snapshot.ignoredRecords());
    }

    /**
     * One unit of leadership as this member sees it.
     *
     * @param partition the partition of the leader topic
     * @param roles the roles that have events of their own
     * @param state STANDBY, CLAIMED, LEADING or DRAINING
     * @param eligible whether this member may lead it
     * @param leader the name of the member that leads
     * @param leaderMetadata what that member tells of itself
     * @param token the latest term's fencing token
     * @param leading whether this member leads
     * @param leadingFor for how long it has led in the latest term
     * @param preparingFor for how long a listener of its acquisition has not returned
     * @param leaseLeft how long its lease lasts if nothing more is read back
     * @param groupOwner the partition's owner by the group's last assignment: its name where it is known, otherwise its hash
     */
    public record PartitionDescriptor(
            int partition,
            List<String> roles,
            String state,
            boolean eligible,
            @Nullable String leader,
            Map<String, String> leaderMetadata,
            @Nullable Long token,
            boolean leading,
            Duration leadingFor,
            Duration preparingFor,
            Duration leaseLeft,
            @Nullable String groupOwner) {

        private static PartitionDescriptor of(NeliSnapshot.Partition partition) {
            return new PartitionDescriptor(
                    partition.partition(),
                    partition.roles(),
                    partition.state(),
                    partition.eligible(),
                    partition.leader().orElse(null),
                    partition.leaderMetadata(),
                    partition.token().orElse(null),
                    partition.leading(),
                    partition.leadingFor(),
                    partition.preparingFor(),
                    partition.leaseLeft(),
                    partition.groupOwner().orElse(null));
        }
    }
}
