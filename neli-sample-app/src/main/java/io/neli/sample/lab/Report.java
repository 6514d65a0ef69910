package io.neli.sample.lab;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.neli.sample.lab.history.Snapshot;
import org.jspecify.annotations.Nullable;

/** A line that an instance prints: a JSON object whose {@code type} says which of these it is. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Report.Present.class, name = "snapshot"),
    @JsonSubTypes.Type(value = Report.Event.class, name = "event"),
    @JsonSubTypes.Type(value = Report.Write.class, name = "write")
})
sealed interface Report {

    /** What it knows at this moment. */
    record Present(
            String status,
            @Nullable String problem,
            boolean standing,
            boolean paused,
            List<Snapshot.Partition> partitions)
            implements Report {

        Snapshot snapshot() {
            return new Snapshot(status, problem, standing, partitions);
        }
    }

    /** A change of its leadership. */
    record Event(Kind event, String role, long token, @Nullable String reason) implements Report {

        enum Kind {
            ACQUIRED,
            REVOKED,
            FENCED
        }
    }

    /** A step of a transaction of the ledger. */
    record Write(Phase phase, long token, long number, @Nullable String reason) implements Report {

        enum Phase {
            BEGUN,
            COMMITTED,
            REFUSED,
            FAILED
        }
    }
}
