package io.neli.internal.runs;

import java.time.Instant;
import java.util.Set;

import io.neli.NeliMetrics.RunKind;

/** What the caller of a {@link JobTerm} must do, in the given order. */
public sealed interface RunAction {

    /**
     * Write the record, and then call {@link JobTerm#recorded} or {@link JobTerm#notRecorded}. Write no other record of
     * the job before that. Or, if it says that a run has begun, call {@link JobTerm#postpone} instead.
     */
    record Write(RunKey key, RunRecord record) implements RunAction {}

    /** Delete the records of these keys. Failures do not matter. */
    record Forget(Set<RunKey> keys) implements RunAction {}

    /** Begin the run as work of the term, and then call {@link JobTerm#ended} or {@link JobTerm#notBegun}. */
    record Begin(Instant dueAt, RunKind kind) implements RunAction {}

    /** Call {@link JobTerm#tick} at that time. */
    record Wake(Instant at) implements RunAction {}

    /** Report that a run was begun, is not known to have ended, and is not repeated. */
    record Abandoned(Instant dueAt) implements RunAction {}
}
