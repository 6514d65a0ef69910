package io.neli.protocol;

import java.util.Objects;

/** From the claim that was read back to the end of the term: protocol, section 5; in non-exclusive mode also section 9. */
final class Leading {

    private Leading() {}

    /** Returns when it wants to be called again. */
    static MonotonicTime act(Turn turn, LogView log) {
        giveUp(turn, log);
        expire(turn, log);
        begin(turn, log);
        MonotonicTime handoverFrom = handOver(turn, log);
        drain(turn, log);
        if (turn.tenure.state() == State.STANDBY) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime next = MonotonicTime.earlier(turn.tenure.drainUntil(), handoverFrom);
        if (turn.holds(log)) {
            heartbeat(turn, log);
            next = MonotonicTime.earlier(next, turn.tenure.heartbeatAt());
        }
        if (turn.holds(log) || turn.tenure.state() == State.LEADING) {
            next = MonotonicTime.earlier(next, turn.tenure.lease().until());
        }
        if (turn.tenure.state() == State.CLAIMED) {
            next = MonotonicTime.earlier(next, log.othersBound());
        }
        return next;
    }

    /** A holder that has not led and does not stand says so, even if its lease is over: the others need not wait. */
    private static void giveUp(Turn turn, LogView log) {
        if (turn.tenure.state() == State.CLAIMED && !turn.mayLead()) {
            resign(turn, log);
            turn.tenure = turn.tenure.standby();
        }
    }

    /** A lease that is over is over for good, whatever is read now: whoever has asked meanwhile was told so. */
    static void endLapsedTerm(Turn turn) {
        if (turn.log != null && turn.tenure.leads()) {
            expire(turn, turn.log);
        }
    }

    private static void expire(Turn turn, LogView log) {
        if (turn.tenure.state() == State.STANDBY || turn.tenure.lease().holdsAt(turn.now)) {
            return;
        }
        if (!turn.holds(log)) {
            if (turn.tenure.state() == State.LEADING) {
                revoke(turn, reasonToLeave(turn));
            }
            return;
        }
        Lease over = turn.tenure.lease().endedAt(turn.now);
        if (turn.tenure.leads()) {
            turn.fence(FenceReason.LEASE_EXPIRED);
        }
        turn.tenure = turn.tenure.standby().withLease(over);
    }

    private static void begin(Turn turn, LogView log) {
        if (turn.tenure.state() != State.CLAIMED || !(turn.isNonExclusive() || turn.hasReached(log.othersBound()))) {
            return;
        }
        turn.tenure = turn.tenure.leading(turn.time());
        turn.announce(new Event.Acquired(turn.tenure.token()));
        if (turn.ownership.isAssigned() && !turn.ownership.isOwner(turn.self())) {
            turn.rejoin();
        }
    }

    /** Returns from when on it may hand over to an owner that has asked; NEVER if there is none. */
    private static MonotonicTime handOver(Turn turn, LogView log) {
        if (turn.tenure.state() != State.LEADING) {
            return MonotonicTime.NEVER;
        }
        if (turn.isNonExclusive()) {
            leaveOnceFollowed(turn, log);
            return MonotonicTime.NEVER;
        }
        if (!turn.stands()) {
            revoke(turn, turn.candidacy.reasonNotToStand());
            return MonotonicTime.NEVER;
        }
        Ownership ownership = turn.ownership;
        boolean ownerAsked = ownership.owner() != null
                && !ownership.isOwner(turn.self())
                && ownership.countedToken() == log.token()
                && turn.bids.seen().contains(ownership.owner());
        if (!ownerAsked) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime from = ownership.handoverFrom(turn.settings.lease());
        if (!turn.hasReached(from)) {
            return from;
        }
        turn.ownership = ownership.handedOver(turn.time());
        revoke(turn, RevokeReason.HANDOVER);
        return MonotonicTime.NEVER;
    }

    /** Where work must not stop, one that leaves resigns first, and leads on until the next has said that it leads. */
    private static void leaveOnceFollowed(Turn turn, LogView log) {
        if (turn.stands() && turn.outgoing.resigned() != turn.tenure.token()) {
            return;
        }
        if (turn.holds(log)) {
            resign(turn, log);
        }
        boolean followed = log.token() != turn.tenure.token() && log.isLed();
        if (followed || turn.ownership.alone()) {
            revoke(turn, reasonToLeave(turn));
        }
    }

    private static RevokeReason reasonToLeave(Turn turn) {
        if (!turn.stands()) {
            return turn.candidacy.reasonNotToStand();
        }
        boolean stoodBack = turn.outgoing.resigned() == turn.tenure.token(); // and stands again meanwhile
        return stoodBack ? RevokeReason.RESIGNED : RevokeReason.SUPERSEDED;
    }

    private static void revoke(Turn turn, RevokeReason reason) {
        turn.measureLead();
        turn.tenure = turn.tenure.draining(turn.time().plus(turn.settings.handoverTimeout()));
        turn.announce(new Event.Revoked(turn.tenure.token(), reason));
    }

    private static void drain(Turn turn, LogView log) {
        if (turn.tenure.state() != State.DRAINING) {
            return;
        }
        if (turn.tenure.drained()) {
            if (turn.holds(log)) {
                resign(turn, log);
            }
            turn.tenure = turn.tenure.standby();
            turn.fences = turn.fences.endedWell();
        } else if (turn.hasReached(turn.tenure.drainUntil())) {
            turn.fence(FenceReason.HANDOVER_TIMED_OUT);
        }
    }

    private static void resign(Turn turn, LogView log) {
        turn.append(new LogRecord.Resign(turn.self(), log.token()));
        turn.outgoing = turn.outgoing.sentResign(log.token());
    }

    private static void heartbeat(Turn turn, LogView log) {
        if (!turn.hasReached(turn.tenure.heartbeatAt())) {
            return;
        }
        turn.append(new LogRecord.Heartbeat(
                turn.self(),
                turn.outgoing.nextSequence(),
                turn.settings.lease(),
                log.token(),
                turn.tenure.leads(),
                log.position()));
        turn.outgoing = turn.outgoing.sentHeartbeat(turn.now);
        turn.tenure = turn.tenure.heartbeatAt(nextBeat(turn));
    }

    /** The next multiple of the interval, so that the heartbeats of all partitions leave in one burst. */
    private static MonotonicTime nextBeat(Turn turn) {
        long interval = turn.settings.heartbeatInterval().toNanos();
        return new MonotonicTime((Math.floorDiv(turn.time().nanos(), interval) + 1) * interval);
    }

    static void assigned(Turn turn, Input.Assigned input) {
        long counted = Objects.requireNonNullElse(input.countedToken(), Term.NONE);
        turn.ownership = turn.ownership.assigned(input.owner(), counted, input.alone(), turn.time());
        boolean leadIsNews = keepsLead(turn) && counted != turn.tenure.token() && !turn.ownership.isOwner(turn.self());
        boolean standingIsNews = input.countedStanding() != null && input.countedStanding() != turn.stands();
        if (leadIsNews || standingIsNews) {
            turn.rejoin();
        }
    }

    /** Unlike one that leads only to the end of its lease, in non-exclusive mode. */
    private static boolean keepsLead(Turn turn) {
        return turn.tenure.state() == State.LEADING && turn.log != null && turn.holds(turn.log);
    }

    static void drained(Turn turn, Input.Drained input) {
        turn.fences = turn.fences.workEnded(input.token());
        if (turn.tenure.state() == State.DRAINING && turn.tenure.token() == input.token()) {
            turn.tenure = turn.tenure.workEnded();
        }
    }
}
