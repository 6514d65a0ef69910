package io.neli.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** A {@link NeliSnapshot} as {@link NeliEndpoint} shows it; what is not known is {@code null}. */
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

    /** A {@link NeliSnapshot.Partition}. */
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
            @Nullable String groupOwner,
            List<LogDescriptor> logs) {

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
                    partition.groupOwner().orElse(null),
                    partition.logs().stream().map(LogDescriptor::of).toList());
        }
    }

    /** A {@link NeliSnapshot.Log}. */
    public record LogDescriptor(String topic, boolean readable, boolean held, @Nullable String holder) {

        private static LogDescriptor of(NeliSnapshot.Log log) {
            return new LogDescriptor(
                    log.topic(), log.readable(), log.held(), log.holder().orElse(null));
        }
    }
}
