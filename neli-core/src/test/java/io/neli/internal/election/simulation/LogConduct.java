package io.neli.internal.election.simulation;

import java.util.HashSet;
import java.util.Set;

import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Term;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Checks what one member reads and writes in one log: it knows of a term what the log says, claims with a bid that is
 * first and was not answered, and resigns only what it holds.
 */
final class LogConduct {

    private final SimulatedMember member;
    private final int number;
    private final Reach reach;
    /** The claim with which it leads, or led last. */
    private long term = Term.NONE;

    /** The claim that it has resigned; none after the log was opened, because the resignation may not have arrived. */
    private long resigned = Term.NONE;

    private long handedBefore;

    LogConduct(SimulatedMember member, int number) {
        this.member = member;
        this.number = number;
        this.reach = member.reach[number];
    }

    void copy(LogConduct of) {
        term = of.term;
        resigned = of.resigned;
        handedBefore = of.handedBefore;
    }

    private SimulatedLog log() {
        return reach.reads;
    }

    void acquired() {
        resigned = Term.NONE;
        term = Term.NONE;
        leads();
    }

    /** The member leads, and may now hold this log. */
    void leads() {
        if (member.holdsLog(number)) {
            term = member.term(number);
            reach.termEpoch = reach.epoch;
        }
    }

    boolean isOfItsTerm(long offset) {
        return offset == term;
    }

    void requireHeld(long offset) {
        if (reach.open && reach.epoch == log().epoch && !member.cannotReadAll() && offset >= reach.start) {
            Fold fold = log().before(reach.position);
            boolean holds = fold.term() == offset && member.id.equals(fold.holder());
            require(holds, "resigns term " + offset + ", which it does not hold");
        }
    }

    void resigns(long offset) {
        require(resigned != offset, "Resign[" + offset + "] once more");
        resigned = offset;
    }

    /** The log is read again. In another epoch, offsets restart. */
    void opened(int epoch) {
        resigned = Term.NONE;
        if (reach.epoch != epoch) {
            term = Term.NONE;
        }
    }

    /** A member that has read a term's claim, and everything since, knows the same of it as everybody. */
    void hasRead(@Nullable Term known) {
        if (!reach.open || reach.epoch != log().epoch || member.cannotReadAll()) {
            return;
        }
        Fold fold = log().before(reach.position);
        if (fold.term() < reach.start) {
            return;
        }
        boolean same = known != null
                && known.offset() == fold.term()
                && known.holder().equals(fold.holder())
                && known.resigned() == fold.resigned();
        if (!same) {
            require(false, "reads " + known + " where the log says " + fold);
        }
    }

    /** A claim requires the member's own bid, not voided by an effective record, and after lapsed bids only. */
    void claims(long knownTerm) {
        if (reach.epoch != log().epoch || member.isNonExclusive() || member.cannotReadAll()) {
            return;
        }
        Fold fold = log().before(reach.position);
        if (knownTerm != fold.term()
                || knownTerm < reach.start
                || member.id.hash().equals(fold.successor())) {
            return; // has not read what the log says of this term, or was named as successor
        }
        Set<MemberId> before = new HashSet<>();
        long since = 0;
        boolean hasBid = false;
        boolean first = false;
        for (int offset = fold.effective() + 1; offset < reach.position; offset++) {
            LogEntry entry = log().between(offset, offset + 1).get(0);
            if (entry.content() instanceof LogRecord.Bid bid && bid.term() == knownTerm) {
                long arrivedAt = log().before(offset + 1).arrivedAt();
                if (bid.member().equals(member.id)) {
                    hasBid = true;
                    first |= member.now()
                            >= since + Math.min(3, before.size()) * fold.lease().toNanos() * 49 / 100;
                } else if (before.add(bid.member()) && before.size() == 1) {
                    since = arrivedAt;
                }
            }
        }
        require(hasBid, "claims without a bid that counts");
        require(first, "claims by a bid that is not first");
    }

    boolean hasBid(@Nullable MemberHash owner) {
        return hasRecord(owner, term, LogRecord.Bid.class);
    }

    void handsOver() {
        handedBefore = reach.position;
    }

    boolean hasClaimedSinceHandover(@Nullable MemberHash owner) {
        return hasRecord(owner, handedBefore, LogRecord.Claim.class);
    }

    private boolean hasRecord(@Nullable MemberHash of, long from, Class<? extends LogRecord> type) {
        if (from < 0) {
            return false;
        }
        if (reach.epoch != log().epoch) {
            return true; // it may have read the record, which is lost now
        }
        return log().between((int) from, reach.position).stream()
                .map(LogEntry::content)
                .anyMatch(content -> type.isInstance(content)
                        && type.cast(content).member().hash().equals(of));
    }

    private void require(boolean legal, String what) {
        if (!legal) {
            throw new Violation(member.id + ": log " + log().id + ": " + what);
        }
    }
}
