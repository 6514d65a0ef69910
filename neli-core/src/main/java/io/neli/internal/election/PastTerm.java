package io.neli.internal.election;

import java.util.Map;

import io.neli.LeaderTerm.End;
import org.jspecify.annotations.Nullable;

/**
 * A term, and when its member led according to the log. All times are the log's, in milliseconds since the epoch.
 *
 * @param metadata what the member told about itself
 * @param acquired {@link #BEFORE} if the member already led in the term's first record that was read
 * @param ended {@link #NOT_YET} if the member still leads
 * @param end null if the member still leads
 */
public record PastTerm(
        long token, MemberId member, Map<String, String> metadata, long acquired, long ended, @Nullable End end) {

    public static final long BEFORE = Long.MIN_VALUE;
    public static final long NOT_YET = Long.MAX_VALUE;

    PastTerm lasting(long from, long until, @Nullable End how) {
        return new PastTerm(token, member, metadata, from, until, how);
    }

    /** Joins a later part of the same term in the same log: its member lost the term in between. */
    PastTerm continuedBy(PastTerm later) {
        return later.lasting(acquired, later.ended, later.end);
    }
}
