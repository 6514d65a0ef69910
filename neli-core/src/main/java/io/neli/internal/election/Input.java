package io.neli.internal.election;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** What can happen to a partition. */
public sealed interface Input {

    /**
     * The log's ends were answered; reading begins.
     *
     * @param start the first offset that will be read
     * @param end the log's end offset
     */
    record LogOpened(long start, long end) implements Input {}

    /**
     * One poll's worth of records, in the order of the log.
     *
     * @param position the next offset that will be read
     */
    record RecordsRead(List<LogEntry> entries, long position) implements Input {}

    /** Records were lost: deleted offsets, truncation, another topic. {@link LogOpened} follows when the log is back. */
    record LogLost() implements Input {}

    /**
     * The consumer group finished an assignment.
     *
     * @param owner who should lead; null if nobody stands
     * @param countedToken the term the assignment counted on; null if it knew of none
     * @param alone whether no other member stands, as far as it knew
     * @param countedEligible whether it counted on this member standing; null if this member was not part of it
     */
    record Assigned(
            @Nullable MemberId owner, @Nullable Long countedToken, boolean alone, @Nullable Boolean countedEligible)
            implements Input {}

    /** Whether this member may stand has changed. */
    record EligibilityChanged(Eligibility eligibility) implements Input {}

    /** The work of a term that was revoked or fenced has ended. */
    record Drained(long token) implements Input {}

    /** Nothing but time has passed. */
    record TimePassed() implements Input {}
}
