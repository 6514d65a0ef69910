package io.neli.sample.lab.history;

import io.neli.sample.instance.report.Report.Outcome;
import org.jspecify.annotations.Nullable;

/** Something that the lab has done or noticed, and when. */
public sealed interface Observation {

    /** Milliseconds on the lab's clock; for an action, the moment before it. */
    long at();

    /**
     * An action on an instance or a broker, or the report that a broker is up.
     *
     * @param process the name of either
     * @param kind KILL to UP
     */
    record Occurred(long at, String process, MarkKind kind) implements Observation {}

    /** An instance leads. */
    record Acquired(long at, String instance, long token) implements Observation {}

    /** An instance begins to hand over. */
    record Revoked(long at, String instance, long token, String reason) implements Observation {}

    /** An instance no longer leads. */
    record Fenced(long at, String instance, long token, String reason) implements Observation {}

    /** An instance reports whether it is eligible and connected. */
    record Eligible(long at, String instance, boolean eligible) implements Observation {}

    /** An instance has written to the ledger, or tried to. */
    record Written(long at, String instance, long token, long number, Outcome outcome, @Nullable String reason)
            implements Observation {}

    /** An instance has begun the run of the scheduled job that was due at {@code due}, in milliseconds of the epoch. */
    record RunBegun(long at, String instance, long token, long due) implements Observation {}

    /** An instance has ended that run. */
    record RunEnded(long at, String instance, long token, long due) implements Observation {}

    /**
     * An instance leads and waits for the next run, with the same fields as {@link
     * io.neli.sample.instance.report.Report.Waiting}.
     */
    record Waiting(long at, long token, long time, @Nullable Long recorded) implements Observation {}

    /** The process of an instance or a broker has ended. */
    record Exited(long at, String process, int code) implements Observation {}
}
