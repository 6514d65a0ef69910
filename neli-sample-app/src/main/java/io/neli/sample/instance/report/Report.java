package io.neli.sample.instance.report;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One line on the standard output: a JSON object whose {@code type} selects one of these. */
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
     * @param state STANDBY, CLAIMED, LEADING or DRAINING
     * @param token of the latest term of any instance
     * @param leaseLeft in milliseconds
     * @param logs on which the leadership lies; empty if that is not known
     */
    record Snapshot(
            NeliSnapshot.Status status,
            @Nullable String problem,
            boolean eligible,
            String state,
            @Nullable Long token,
            long leaseLeft,
            List<Log> logs)
            implements Report {

        static Snapshot of(NeliSnapshot neli, List<Log> logs) {
            NeliSnapshot.Partition partition = neli.partitions().stream()
                    .filter(each -> each.roles().contains(ROLE))
                    .findFirst()
                    .orElseThrow();
            return new Snapshot(
                    neli.status(),
                    neli.problem().orElse(null),
                    neli.eligible(),
                    partition.state(),
                    partition.token().orElse(null),
                    partition.leaseLeft().toMillis(),
                    logs);
        }
    }

    /**
     * One of the logs on which the leadership lies, as this instance sees it.
     *
     * @param held whether this instance holds it
     * @param holder the name of the instance that holds it
     */
    record Log(String topic, boolean readable, boolean held, @Nullable String holder) {

        /** Those of the role, from what the actuator's endpoint {@code neli} shows; none if that has no logs. */
        static List<Log> of(JsonNode endpoint) {
            return endpoint.path("partitions")
                    .valueStream()
                    .filter(each -> each.path("roles").valueStream().anyMatch(role -> ROLE.equals(role.asString())))
                    .flatMap(each -> each.path("logs").valueStream())
                    .map(log -> new Log(
                            log.path("topic").asString(),
                            log.path("readable").asBoolean(false),
                            log.path("held").asBoolean(false),
                            log.path("holder").stringValueOpt().orElse(null)))
                    .toList();
        }
    }

    /** A change of its leadership. */
    record Event(Kind event, long token, @Nullable String reason) implements Report {}

    /** The kinds of {@link Event}. */
    enum Kind {
        ACQUIRED,
        REVOKED,
        FENCED
    }

    /** The outcome of writing an entry of the ledger. */
    record Write(Outcome outcome, long token, long number, @Nullable String reason) implements Report {}

    /** The outcomes of a {@link Write}. */
    enum Outcome {
        COMMITTED,
        /** By the broker, as another instance leads. Not in the ledger. */
        REFUSED,
        /** For any other reason; without an answer to the commit, the entry may be in the ledger. */
        FAILED
    }

    /**
     * A run of the scheduled job begins, or has ended.
     *
     * @param due in milliseconds of the epoch: the same for a repetition
     * @param repeated whether it was begun before, as far as its leader knows
     */
    record Run(boolean ended, long token, long due, boolean repeated) implements Report {}

    /**
     * The leader knows the records of the scheduled job, and waits for a time that is still to come: it has dealt with
     * all times before. One that is due and has not begun may be on its way to the broker, for as long as that takes.
     *
     * @param time of its clock, in milliseconds of the epoch
     * @param recorded when the last run was due whose end is recorded; null if there is none
     */
    record Waiting(long token, long time, @Nullable Long recorded) implements Report {

        /** Empty where that is not so. */
        static Optional<Waiting> of(NeliSnapshot neli, long time) {
            Optional<Long> token = neli.partitions().stream()
                    .filter(each -> each.roles().contains(ROLE))
                    .findFirst()
                    .flatMap(NeliSnapshot.Partition::token);
            return neli.jobs().stream()
                    .filter(job -> !job.running()
                            && job.nextDue()
                                    .filter(next -> next.toEpochMilli() > time)
                                    .isPresent())
                    .findFirst()
                    .flatMap(job -> token.map(term -> new Waiting(term, time, recorded(job))));
        }

        private static @Nullable Long recorded(NeliSnapshot.Job job) {
            return job.last()
                    .filter(run -> run.ended().isPresent())
                    .map(run -> run.due().toEpochMilli())
                    .orElse(null);
        }
    }
}
