package io.neli.internal.runs;

import java.time.Instant;
import java.util.Set;

public sealed interface RunAction {

    /**
     * Record it; {@link JobTerm#recorded} or {@link JobTerm#notRecorded} follows, and no other record of the job before
     * that.
     */
    record Write(RunKey key, RunRecord record) implements RunAction {}

    /** Delete the records of these keys; nothing depends on whether that works. */
    record Forget(Set<RunKey> keys) implements RunAction {}

    /**
     * Begin the run as work of the term; {@link JobTerm#ended}, {@link JobTerm#notEnded} or
     * {@link JobTerm#notBegun} follows.
     *
     * @param madeUp whether it was due before this member could run it
     */
    record Begin(Instant dueAt, boolean repeated, boolean madeUp) implements RunAction {}

    /** Ask again at that time. */
    record Wake(Instant at) implements RunAction {}

    /** A run that was begun and did not end is not repeated. */
    record Abandoned(Instant dueAt) implements RunAction {}
}
