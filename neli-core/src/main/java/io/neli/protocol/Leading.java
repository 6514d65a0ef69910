package io.neli.protocol;

import java.util.Objects;

/** From the claim that was read back to the end of the term: protocol, section 5. */
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
        heartbeat(turn, log);
        Tenure tenure = turn.tenure;
        MonotonicTime next = MonotonicTime.earlier(tenure.lease().until(), tenure.heartbeatAt());
        if (tenure.state() == State.CLAIMED && !turn.hasReached(log.othersBound())) {
            next = MonotonicTime.earlier(next, log.othersBound());
        }
        return MonotonicTime.earlier(next, MonotonicTime.earlier(tenure.drainUntil(), handoverFrom));
    }

    /** A holder that has not led and does not stand says so, even if its lease is over: the others need not wait. */
    private static void giveUp(Turn turn, LogView log) {
        if (turn.tenure.state() == State.CLAIMED && !turn.stands()) {
            resign(turn, log);
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
        if (turn.tenure.leads()) {
            turn.announce(new Event.Fenced(log.token(), FenceReason.LEASE_EXPIRED));
        }
        turn.tenure = turn.tenure.standby().withLease(turn.tenure.lease().endedAt(turn.now));
    }

    private static void begin(Turn turn, LogView log) {
        if (turn.tenure.state() != State.CLAIMED || !turn.hasReached(log.othersBound())) {
            return;
        }
        turn.tenure = turn.tenure.leading(turn.time());
        turn.announce(new Event.Acquired(log.token()));
        if (turn.ownership.isAssigned() && !turn.ownership.isOwner(turn.self())) {
            turn.rejoin();
        }
    }

    /** Returns from when on it may hand over to an owner that has asked; NEVER if there is none. */
    private static MonotonicTime handOver(Turn turn, LogView log) {
        if (turn.tenure.state() != State.LEADING) {
            return MonotonicTime.NEVER;
        }
        if (!turn.stands()) {
            revoke(turn, log, turn.candidacy.reasonNotToStand());
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
        revoke(turn, log, RevokeReason.HANDOVER);
        return MonotonicTime.NEVER;
    }

    private static void revoke(Turn turn, LogView log, RevokeReason reason) {
        turn.tenure = turn.tenure.draining(turn.time().plus(turn.settings.handoverTimeout()));
        turn.announce(new Event.Revoked(log.token(), reason));
    }

    private static void drain(Turn turn, LogView log) {
        if (turn.tenure.state() != State.DRAINING) {
            return;
        }
        if (turn.tenure.drained()) {
            resign(turn, log);
        } else if (turn.hasReached(turn.tenure.drainUntil())) {
            turn.announce(new Event.Fenced(log.token(), FenceReason.HANDOVER_TIMED_OUT));
            turn.tenure = turn.tenure.standby();
        }
    }

    private static void resign(Turn turn, LogView log) {
        turn.append(new LogRecord.Resign(turn.self(), log.token()));
        turn.outgoing = turn.outgoing.sentResign(log.token());
        turn.tenure = turn.tenure.standby();
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
        turn.ownership = turn.ownership.assigned(input.owner(), counted, turn.time());
        boolean leadIsNews = turn.tenure.state() == State.LEADING
                && turn.log != null
                && counted != turn.log.token()
                && !turn.ownership.isOwner(turn.self());
        boolean standingIsNews = input.countedStanding() != null && input.countedStanding() != turn.stands();
        if (leadIsNews || standingIsNews) {
            turn.rejoin();
        }
    }

    static void drained(Turn turn, Input.Drained input) {
        if (turn.tenure.state() == State.DRAINING && turn.log != null && turn.log.token() == input.token()) {
            turn.tenure = turn.tenure.workEnded();
        }
    }
}
