package io.neli.internal.election;

import java.time.Duration;

/**
 * What the fences of this member's own terms leave behind. Work that was fenced may go on for a while, deaf to its interrupt: as
 * long as it does, the member does not lead again, so that the work of two terms never overlaps. And whoever is fenced again
 * and again is in no state to lead: it leaves the next terms to others for a while.
 *
 * @param unfinished the fenced term whose work has not ended; {@link Term#NONE} if there is none
 * @param inARow how many terms ended in a fence since one ended well or lasted long
 * @param restUntil until then others that stand bid first
 */
record FenceHistory(long unfinished, int inARow, MonotonicTime restUntil) {

    static final FenceHistory NONE = new FenceHistory(Term.NONE, 0, MonotonicTime.PAST);

    /** A term that lasted that many leases ended a row of fences, however it ended itself. */
    private static final int LEASES_OF_A_LONG_TERM = 10;

    /** The longest rest is 2 to that power, in leases. */
    private static final int MOST_DOUBLINGS = 3;

    FenceHistory fenced(OwnTerm term, Duration lease, MonotonicTime now) {
        boolean lastedLong = now.hasReached(term.since().plus(lease.multipliedBy(LEASES_OF_A_LONG_TERM)));
        int row = lastedLong ? 1 : inARow + 1;
        MonotonicTime rest = row < 2 ? MonotonicTime.PAST : now.plus(rest(lease, row));
        return new FenceHistory(term.token(), row, rest);
    }

    private static Duration rest(Duration lease, int row) {
        return lease.multipliedBy(1L << Math.min(row - 2, MOST_DOUBLINGS));
    }

    /** A term ended of this member's own will. */
    FenceHistory endedWell() {
        return inARow == 0 ? this : new FenceHistory(unfinished, 0, MonotonicTime.PAST);
    }

    FenceHistory workEnded(long token) {
        return unfinished == token ? new FenceHistory(Term.NONE, inARow, restUntil) : this;
    }
}
