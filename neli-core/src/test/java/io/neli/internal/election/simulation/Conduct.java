package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.internal.election.Announced;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.State;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Checks what one member announces and writes about one partition. {@link Announced} checks its events, and {@link
 * LogConduct} what it writes to each log. It must hand over only to an owner that has bid.
 */
final class Conduct {

    private final SimulatedMember member;
    private final int partition;
    private final Leading leading;
    private final List<LogConduct> logs;
    private Announced announced = Announced.NOTHING;
    private @Nullable MemberHash handedTo;
    private long handedAt;
    private long drainUntil;

    Conduct(SimulatedMember member, int partition, List<LogConduct> logs) {
        this.member = member;
        this.partition = partition;
        this.leading = member.leading[partition];
        this.logs = logs;
    }

    void copy(Conduct of) {
        announced = of.announced;
        handedTo = of.handedTo;
        handedAt = of.handedAt;
        drainUntil = of.drainUntil;
    }

    void announced(LeaderEvent event) {
        announced = announced.after(event, leading.working);
        if (event instanceof LeaderAcquired) {
            require(
                    member.wasOrIsEligible(partition) && member.holds(partition),
                    event + " of one that is not eligible or has no lease");
            logs.forEach(LogConduct::acquired);
            leading.working.add(event.token());
        } else if (event instanceof LeaderRevoked) {
            drainUntil =
                    member.clock.nanos() + member.settings.handoverTimeout().toNanos();
        } else {
            leading.working.add(event.token()); // its listeners count as work
        }
    }

    /** A fenced term is resigned too, once its work has ended. */
    void resigned(LogConduct log, long offset) {
        log.requireHeld(offset);
        if (!log.isOfItsTerm(offset)) {
            return;
        }
        if (member.isNonExclusive()) {
            log.resigns(offset); // it keeps leading until another follows
        } else {
            announced = announced.resigned(leading.working);
        }
    }

    /** Whether the term whose work still runs was fenced. */
    boolean wasFenced() {
        return announced.state() == State.STANDBY;
    }

    /** A log is opened and read again. */
    void opened(LogConduct log, int epoch) {
        handedTo = null; // an earlier claim is read as a later one
        log.opened(epoch);
    }

    /** Checks that the state agrees with what was announced. */
    void agreesWith(State state) {
        boolean ended = announced.state() == State.DRAINING && !leading.working.contains(announced.token());
        if (member.isNonExclusive() && state == State.STANDBY && ended) {
            announced = announced.ended(); // it has resigned, or was superseded
        }
        announced.agreesWith(state);
        if (announced.state() != State.STANDBY && logs.size() > 1) {
            logs.forEach(LogConduct::leads);
        }
        if (state == State.DRAINING && member.clock.nanos() > drainUntil) {
            require(false, "drains for longer than the handover may take");
        }
    }

    /**
     * A handover requires a bid of the owner in this term; and ten leases between two to an owner that did not claim.
     */
    void handsOver(@Nullable MemberHash owner, @Nullable Long counted, long lease) {
        require(
                counted != null && counted == announced.token(),
                "hands over, as an assignment wants that counted on " + counted);
        logs.forEach(LogConduct::leads);
        long asked = logs.stream().filter(log -> log.hasBid(owner)).count();
        require(owner != null && asked >= member.majority(), "hands over to an owner unheard");
        boolean again = owner != null && owner.equals(handedTo);
        boolean soon = member.now() < handedAt + 10 * lease * 99 / 100;
        require(
                !(again && soon) || logs.stream().anyMatch(log -> log.hasClaimedSinceHandover(handedTo)),
                "hands over once more to an owner that has not taken it up");
        handedTo = owner;
        handedAt = member.now();
        logs.forEach(LogConduct::handsOver);
    }

    /** Only an eligible member bids, and a member on standby sends no heartbeat. */
    void writes(LogRecord record, State state) {
        if (record instanceof LogRecord.Heartbeat) {
            require(state != State.STANDBY, "a heartbeat on standby");
        } else if (record instanceof LogRecord.Bid) {
            require(member.wasOrIsEligible(partition), "bids, and is not eligible");
        }
    }

    private void require(boolean legal, Object what) {
        if (!legal) {
            throw new Violation(member.id + ": " + what + " after " + announced);
        }
    }
}
