package io.neli.internal.election;

import java.util.Map;

import io.neli.LeaderTerm.End;
import org.jspecify.annotations.Nullable;

/**
 * A term, from when to when the log says that its member led. All times are the log's, in milliseconds since the epoch.
 *
 * @param metadata what the member told of itself
 * @param acquired {@link #BEFORE} if it already led in the first record of it that was read
 * @param ended {@link #NOT_YET} if it still leads
 * @param end null if it still leads
 */
public record PastTerm(
        long token, MemberId member, Map<String, String> metadata, long acquired, long ended, @Nullable End end) {

    public static final long BEFORE = Long.MIN_VALUE;
    public static final long NOT_YET = Long.MAX_VALUE;

    PastTerm lasting(long from, long until, @Nullable End how) {
        return new PastTerm(token, member, metadata, from, until, how);
    }

    /** The same term in the same log, which its member lost in between. */
    PastTerm continuedBy(PastTerm later) {
        return later.lasting(acquired, later.ended, later.end);
    }
}
