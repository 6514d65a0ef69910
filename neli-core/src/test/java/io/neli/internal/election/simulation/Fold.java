package io.neli.internal.election.simulation;

import java.time.Duration;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/**
 * What the log says to who has read all of it, as far as one record: protocol, section 3, written down a second time.
 *
 * @param effective the offset of the latest effective record; -1 if there is none
 * @param lease the lease in that record
 */
record Fold(long arrivedAt, long token, @Nullable MemberId holder, boolean resigned, int effective, Duration lease) {

    static final Fold EMPTY = new Fold(0, Term.NONE, null, false, -1, Duration.ZERO);

    Fold with(int offset, Decoded content, long now) {
        if (content instanceof LogRecord.Claim claim) {
            return new Fold(now, offset, claim.member(), false, offset, claim.lease());
        }
        if (content instanceof LogRecord.Heartbeat beat && beat.term() < offset && beat.upTo() <= offset) {
            boolean unseen = beat.term() > token;
            boolean current = beat.term() == token && !resigned && beat.member().equals(holder);
            if (unseen || current) {
                return new Fold(now, beat.term(), beat.member(), false, offset, beat.lease());
            }
        }
        boolean resigns = content instanceof LogRecord.Resign resign
                && resign.term() == token
                && resign.member().equals(holder);
        return new Fold(now, token, holder, resigned || resigns, effective, lease);
    }
}
