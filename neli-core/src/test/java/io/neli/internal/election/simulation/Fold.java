package io.neli.internal.election.simulation;

import java.time.Duration;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/**
 * What the log, read from its start up to one record, says: an independent second implementation of the rules.
 *
 * @param effective the offset of the latest effective record; -1 if there is none
 * @param lease the lease in that record
 * @param largestToken in any record so far
 * @param successor whom the resignation names; null if nobody
 */
record Fold(
        long arrivedAt,
        long term,
        @Nullable MemberId holder,
        boolean resigned,
        int effective,
        Duration lease,
        @Nullable MemberHash successor,
        long largestToken) {

    static final Fold EMPTY = new Fold(0, Term.NONE, null, false, -1, Duration.ZERO, null, 0);

    Fold with(int offset, Decoded content, long now) {
        long token = content instanceof LogRecord record ? record.sender().token() : 0;
        long largest = Math.max(largestToken, token);
        if (content instanceof LogRecord.Claim claim) {
            return held(offset, claim, offset, now, largest);
        }
        if (content instanceof LogRecord.Heartbeat beat && beat.term() < offset && beat.upTo() <= offset) {
            boolean unseen = beat.term() > term;
            boolean current = beat.term() == term && !resigned && beat.member().equals(holder);
            if (unseen || current) {
                return held(beat.term(), beat, offset, now, largest);
            }
        }
        boolean resigns = content instanceof LogRecord.Resign resign
                && resign.term() == term
                && resign.member().equals(holder);
        if (resigns) {
            return new Fold(
                    now, term, holder, true, effective, lease, ((LogRecord.Resign) content).successor(), largest);
        }
        return new Fold(now, term, holder, resigned, effective, lease, successor, largest);
    }

    private static Fold held(long term, LogRecord.Leasing by, int offset, long now, long largest) {
        return new Fold(now, term, by.member(), false, offset, by.grant().lease(), null, largest);
    }
}
