package io.neli.internal.election;

import java.time.Duration;

/**
 * The consequences of earlier fences. Fenced work may ignore its interrupt: until it has ended, the member does not
 * lead again, so that the work of two terms never overlaps. A member that is fenced repeatedly rests: it lets others
 * bid first.
 *
 * @param unfinished the fenced term whose work has not ended; {@link Term#NONE} if none
 * @param fencesInARow how many terms were fenced in a row; a graceful end or a long term restarts the count
 * @param restUntil until when the member rests
 */
record FenceHistory(long unfinished, int fencesInARow, MonotonicTime restUntil) {

    static final FenceHistory NONE = new FenceHistory(Term.NONE, 0, MonotonicTime.PAST);

    /** A term of at least this many leases is long: earlier fences no longer count, even if it is fenced itself. */
    private static final int LONG_TERM_LEASES = 10;

    /** The longest rest, in leases, is 2 to this power. */
    private static final int MAX_DOUBLINGS = 3;

    FenceHistory fenced(long token, MonotonicTime since, Duration lease, MonotonicTime now) {
        boolean lastedLong = now.hasReached(since.plus(lease.multipliedBy(LONG_TERM_LEASES)));
        int row = lastedLong ? 1 : fencesInARow + 1;
        MonotonicTime rest = row < 2 ? MonotonicTime.PAST : now.plus(rest(lease, row));
        return new FenceHistory(token, row, rest);
    }

    private static Duration rest(Duration lease, int row) {
        return lease.multipliedBy(1L << Math.min(row - 2, MAX_DOUBLINGS));
    }

    FenceHistory endedGracefully() {
        return fencesInARow == 0 ? this : new FenceHistory(unfinished, 0, MonotonicTime.PAST);
    }

    FenceHistory workEnded() {
        return new FenceHistory(Term.NONE, fencesInARow, restUntil);
    }
}
