package io.neli.sample.instance.report;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;

/** One line on the standard output: a JSON object whose {@code type} says which of these it is. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Report.Snapshot.class, name = "snapshot"),
    @JsonSubTypes.Type(value = Report.Event.class, name = "event"),
    @JsonSubTypes.Type(value = Report.Write.class, name = "write")
})
sealed interface Report {

    /** What the instance knows at this moment. */
    record Snapshot(
            NeliSnapshot.Status status,
            @Nullable String problem,
            boolean standing,
            boolean paused,
            List<Partition> partitions)
            implements Report {

        static Snapshot of(NeliSnapshot snapshot) {
            return new Snapshot(
                    snapshot.status(),
                    snapshot.problem().orElse(null),
                    snapshot.standing(),
                    snapshot.paused(),
                    snapshot.partitions().stream().map(Partition::of).toList());
        }
    }

    /** A part of the {@link Snapshot}; the lease in milliseconds. */
    record Partition(
            int partition,
            List<String> roles,
            String state,
            @Nullable String leader,
            @Nullable Long token,
            long leaseLeft) {

        private static Partition of(NeliSnapshot.Partition partition) {
            return new Partition(
                    partition.partition(),
                    partition.roles(),
                    partition.state(),
                    partition.leader().orElse(null),
                    partition.token().orElse(null),
                    partition.leaseLeft().toMillis());
        }
    }

    /** A change of its leadership: ACQUIRED, REVOKED or FENCED. */
    record Event(String event, String role, long token, @Nullable String reason) implements Report {}

    /** A step of a transaction of the ledger. */
    record Write(Phase phase, long token, long number, @Nullable String reason) implements Report {

        enum Phase {
            BEGUN,
            COMMITTED,
            /** By the broker: another leads. Not in the ledger. */
            REFUSED,
            /** For any other reason; if no answer came to the commit, it may be in the ledger nevertheless. */
            FAILED
        }
    }
}
