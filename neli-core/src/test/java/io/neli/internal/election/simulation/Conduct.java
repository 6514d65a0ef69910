package io.neli.internal.election.simulation;

import java.util.HashSet;
import java.util.Set;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/**
 * What one member has announced and written of one partition, held against the rules: each term is acquired once, then revoked
 * at most once, then fenced at most once; after that nothing more comes of it, and it is not given up while its work goes on.
 * It claims by a bid that is first and was not answered, and hands over to an owner that has bid.
 */
final class Conduct {

    private final SimulatedMember member;
    private final int partition;
    private final SimulatedLog log;
    private final Reach reach;
    private State announced = State.STANDBY;
    private long token = Term.NONE;
    private long term = Term.NONE;
    private @Nullable MemberHash handedTo;
    private long handedAt;
    private int handedBefore;
    private boolean resigned;
    private long drainUntil;

    Conduct(SimulatedMember member, int partition, SimulatedLog log, Reach reach) {
        this.member = member;
        this.partition = partition;
        this.log = log;
        this.reach = reach;
    }

    void announced(LeaderEvent event) {
        if (event instanceof LeaderAcquired) {
            require(announced == State.STANDBY && event.token() > token, event);
            require(reach.working.isEmpty(), "work of an earlier term goes on at " + event);
            require(
                    member.wasOrIsEligible(partition) && member.holds(partition),
                    event + " of one that is not eligible or has no lease");
            resigned = false;
            announced = State.LEADING;
            token = event.token();
            term = member.term(partition);
            reach.working.add(token);
        } else if (event instanceof LeaderRevoked) {
            require(announced == State.LEADING && event.token() == token, event);
            announced = State.DRAINING;
            drainUntil =
                    member.clock.nanos() + member.settings.handoverTimeout().toNanos();
        } else {
            require(announced != State.STANDBY && event.token() == token, event);
            announced = State.STANDBY;
            reach.working.add(token); // its listeners count like work
        }
    }

    /** A term that was fenced is resigned too, once its work has ended. */
    void resigned(long offset) {
        if (reach.open && reach.epoch == log.epoch() && !member.cannotReadAll() && offset >= reach.start) {
            Fold fold = log.before(reach.position);
            boolean holds = fold.term() == offset && member.id.equals(fold.holder());
            require(holds, "resigns term " + offset + ", which it does not hold");
        }
        if (offset == term && member.isNonExclusive()) {
            require(!resigned, "Resign[" + offset + "]");
            resigned = true; // and keeps leading until it is followed
        } else if (offset == term) {
            boolean drained = !reach.working.contains(token);
            require(announced != State.LEADING && drained, "Resign[" + offset + "]");
            announced = State.STANDBY;
        }
    }

    /** Whether the term whose work goes on was fenced. */
    boolean wasFenced() {
        return announced == State.STANDBY;
    }

    /** The log is read again; in another epoch tokens restart. */
    void opened(int epoch) {
        resigned = false; // that may not have been written
        handedTo = null; // a claim from before is read as one from after
        if (reach.epoch != epoch) {
            token = Term.NONE;
            term = Term.NONE;
        }
    }

    /** The state and what was announced agree. */
    void agreesWith(State state) {
        boolean ended = announced == State.DRAINING && !reach.working.contains(token);
        if (member.isNonExclusive() && state == State.STANDBY && ended) {
            announced = State.STANDBY; // it had resigned, or was superseded
        }
        if (announced != (state == State.CLAIMED ? State.STANDBY : state)) {
            require(false, state);
        }
        if (state == State.DRAINING && member.clock.nanos() > drainUntil) {
            require(false, "drains for longer than the handover may take");
        }
    }

    /** Who has read a term's claim, and all since, knows what everybody knows of it. */
    void hasRead(@Nullable Term known) {
        if (!reach.open || reach.epoch != log.epoch() || member.cannotReadAll()) {
            return;
        }
        Fold fold = log.before(reach.position);
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

    /** A claim needs a bid of one's own that no effective record has voided, and before which all others have lapsed. */
    void claims(long knownTerm, long lease) {
        if (reach.epoch != log.epoch() || member.isNonExclusive() || member.cannotReadAll()) {
            return;
        }
        Fold fold = log.before(reach.position);
        if (knownTerm != fold.term()
                || knownTerm < reach.start
                || member.id.hash().equals(fold.successor())) {
            return; // has not read what the log says of this term, or was invited
        }
        Set<MemberId> before = new HashSet<>();
        long since = 0;
        boolean hasBid = false;
        boolean first = false;
        for (int offset = fold.effective() + 1; offset < reach.position; offset++) {
            LogEntry entry = log.between(offset, offset + 1).get(0);
            if (entry.content() instanceof LogRecord.Bid bid && bid.term() == knownTerm) {
                long arrivedAt = log.before(offset + 1).arrivedAt();
                if (bid.member().equals(member.id)) {
                    hasBid = true;
                    first |=
                            member.now() >= since + before.size() * fold.lease().toNanos() * 49 / 100;
                } else if (before.add(bid.member()) && before.size() == 1) {
                    since = arrivedAt;
                }
            }
        }
        require(hasBid, "claims without a bid that counts, lease " + lease);
        require(first, "claims by a bid that is not first");
    }

    /** A handover needs a bid of the owner in this term, and ten leases after one to an owner that did not take it up. */
    void handsOver(@Nullable MemberHash owner, @Nullable Long counted, long lease) {
        require(counted != null && counted == token, "hands over, as an assignment wants that counted on " + counted);
        require(owner != null && hasRecord(owner, (int) term, LogRecord.Bid.class), "hands over to an owner unheard");
        boolean again = owner != null && owner.equals(handedTo);
        boolean soon = member.now() < handedAt + 10 * lease * 99 / 100;
        require(
                !(again && soon) || hasRecord(handedTo, handedBefore, LogRecord.Claim.class),
                "hands over once more to an owner that has not taken it up");
        handedTo = owner;
        handedAt = member.now();
        handedBefore = reach.position;
    }

    /** Only an eligible member bids or claims, and a fenced one is silent. */
    void writes(LogRecord record, State state) {
        if (record instanceof LogRecord.Heartbeat) {
            require(state != State.STANDBY, "a heartbeat on standby");
        } else if (record instanceof LogRecord.Bid) {
            require(member.wasOrIsEligible(partition), "bids, and is not eligible");
        }
    }

    private boolean hasRecord(@Nullable MemberHash of, int from, Class<? extends LogRecord> type) {
        if (reach.epoch != log.epoch()) {
            return true; // it has read what is lost
        }
        for (LogEntry entry : log.between(from, reach.position)) {
            if (type.isInstance(entry.content())
                    && ((LogRecord) entry.content()).member().hash().equals(of)) {
                return true;
            }
        }
        return false;
    }

    private void require(boolean legal, Object what) {
        if (!legal) {
            throw new SimulationFailure(member.id + ": " + what + " after " + announced + " of term " + token);
        }
    }
}
