package io.neli.internal.election;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** What can happen to a partition. */
public sealed interface Input {

    /**
     * The bounds of the log are known; reading begins.
     *
     * @param start the first offset that will be read
     * @param end the log's end offset
     * @param extendable whether there are earlier records to read if {@link Action.ReadFurtherBack} asks for them
     */
    record LogOpened(long start, long end, boolean extendable) implements Input {

        /** There are no earlier records, or none that need to be read. */
        public LogOpened(long start, long end) {
            this(start, end, false);
        }
    }

    /**
     * Records of one poll, in log order.
     *
     * @param position the next offset that will be read
     */
    record RecordsRead(List<LogEntry> entries, long position) implements Input {}

    /**
     * Records were lost: deleted offsets, truncation, another topic. {@link LogOpened} follows when reading begins
     * again.
     */
    record LogLost() implements Input {}

    /**
     * The consumer group finished an assignment.
     *
     * @param share what it decided for the partition
     * @param alone whether no other member was eligible for it
     * @param countedEligible whether this member was; null if it was not part of the assignment
     */
    record Assigned(MemberPlan.Share share, boolean alone, @Nullable Boolean countedEligible) implements Input {}

    /** This member's eligibility for the partition may have changed. */
    record EligibilityChanged(Eligibility eligibility) implements Input {}

    /**
     * The work of a term that was revoked or fenced has ended.
     *
     * @param fenced whether the listeners of a fence have returned too. Only then does it end a fenced term: a report
     *     made before the fence may be processed after it
     */
    record Drained(long token, boolean fenced) implements Input {}

    /** This member continues as a new one, see {@link Action.Renew}. {@link LogOpened} follows for each log. */
    record Renewed() implements Input {}

    /** The lease of that term was over when a caller asked, and the caller was told that this member does not lead. */
    record LeaseLapsed(long token) implements Input {}

    /** Only time has passed. */
    record TimePassed() implements Input {}
}
