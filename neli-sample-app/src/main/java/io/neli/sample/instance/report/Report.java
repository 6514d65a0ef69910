package io.neli.sample.instance.report;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;

/** One line on the standard output: a JSON object whose {@code type} says which of these records it is. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Report.Snapshot.class, name = "snapshot"),
    @JsonSubTypes.Type(value = Report.Event.class, name = "event"),
    @JsonSubTypes.Type(value = Report.Write.class, name = "write"),
    @JsonSubTypes.Type(value = Report.Run.class, name = "run"),
    @JsonSubTypes.Type(value = Report.Waiting.class, name = "waiting")
})
public sealed interface Report {

    /** The role that has a job; other roles are not reported. */
    String ROLE = "ledger";

    /**
     * What the instance knows at this moment.
     *
     * @param eligible whether it could take over now
     * @param token of the latest term, whichever instance leads it
     * @param leaseLeft in milliseconds
     * @param logs that decide the leadership
     */
    record Snapshot(
            @Nullable String problem,
            boolean eligible,
            NeliSnapshot.Partition.State state,
            @Nullable Long token,
            long leaseLeft,
            List<NeliSnapshot.Log> logs)
            implements Report {

        static Snapshot of(NeliSnapshot neli) {
            NeliSnapshot.Partition partition = partition(neli);
            return new Snapshot(
                    neli.problem().orElse(null),
                    neli.eligible() && neli.status() == NeliSnapshot.Status.RUNNING,
                    partition.state(),
                    partition.token().orElse(null),
                    partition.leaseLeft().toMillis(),
                    partition.logs());
        }
    }

    /** A change of the instance's leadership. */
    record Event(Kind event, long token, @Nullable String reason) implements Report {}

    enum Kind {
        ACQUIRED,
        REVOKED,
        FENCED
    }

    /** The outcome of writing an entry of the ledger. */
    record Write(Outcome outcome, long token, long number, @Nullable String reason) implements Report {}

    enum Outcome {
        COMMITTED,
        /** The broker refused it because another instance leads. It is not in the ledger. */
        REFUSED,
        /** It failed for another reason. If the commit was not answered, the entry may be in the ledger. */
        FAILED
    }

    /**
     * A run of the scheduled job has begun or ended.
     *
     * @param due in milliseconds of the epoch; a repeated run has the same value
     */
    record Run(boolean ended, long token, long due) implements Report {}

    /**
     * The leader has read the records of the scheduled job and waits for a time in the future: it has dealt with all
     * times before. A run that is due but has not begun may still wait for the broker.
     *
     * @param time on its clock, in milliseconds of the epoch
     * @param recorded when the last run with a recorded end was due; null if there is none
     */
    record Waiting(long token, long time, @Nullable Long recorded) implements Report {

        /** Empty if the leader is not waiting. */
        static Optional<Waiting> of(NeliSnapshot neli, long time) {
            return neli.jobs().stream()
                    .filter(job -> !job.running()
                            && job.nextDue()
                                    .filter(next -> next.toEpochMilli() > time)
                                    .isPresent())
                    .findFirst()
                    .flatMap(job -> partition(neli).token().map(token -> new Waiting(token, time, recorded(job))));
        }

        private static @Nullable Long recorded(NeliSnapshot.Job job) {
            return job.last()
                    .filter(run -> run.ended().isPresent())
                    .map(run -> run.due().toEpochMilli())
                    .orElse(null);
        }
    }

    private static NeliSnapshot.Partition partition(NeliSnapshot neli) {
        return neli.partitions().stream()
                .filter(partition -> partition.roles().contains(ROLE))
                .findFirst()
                .orElseThrow();
    }
}
