package io.neli.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** From a partition that is silent or vacant to the claim: protocol, section 6. */
final class TakingOver {

    /** How far bids of members with equal rights are spread, so that usually one of them is first alone. */
    private static final Duration SPREAD = Duration.ofMillis(5);

    private final Turn turn;
    private final LogView log;
    private final @Nullable Holding holding;
    private final Duration lease;
    private final Duration half;
    private MonotonicTime next = MonotonicTime.NEVER;

    private TakingOver(Turn turn, LogView log) {
        this.turn = turn;
        this.log = log;
        this.holding = log.holding();
        this.lease = holding == null ? turn.settings.lease() : holding.lease();
        this.half = Duration.ofNanos(lease.toNanos() / 2);
    }

    /** Returns when it wants to be called again. */
    static MonotonicTime act(Turn turn, LogView log) {
        return new TakingOver(turn, log).act();
    }

    private MonotonicTime act() {
        giveUpClaim();
        lapseBids();
        boolean mayBid = turn.settings.takeover() || turn.ownership.isOwner(turn.self());
        if (!turn.mayLead() || !mayBid || !log.caughtUp() || turn.outgoing.claim() != null) {
            return next;
        }
        if (resignationIsOnItsWay()) {
            wakeAt(turn.tenure.lease().until());
        } else {
            askLeader();
            if (turn.outgoing.claim() == null) {
                bidOrClaim();
            }
        }
        return next;
    }

    private void bidOrClaim() {
        if (turn.bids.isFirst(turn.self())) {
            claimWhen(claimAt());
        } else {
            bidWhen(bidAt());
        }
    }

    private void wakeAt(MonotonicTime time) {
        next = MonotonicTime.earlier(next, time);
    }

    /** A claim not read back within the lease is given up; should it still arrive, it is read like any claim. */
    private void giveUpClaim() {
        Outgoing.Sent claim = turn.outgoing.claim();
        if (claim == null) {
            return;
        }
        MonotonicTime deadline = claim.at().time().plus(turn.settings.lease());
        if (turn.hasReached(deadline)) {
            turn.outgoing = turn.outgoing.withoutClaim();
            turn.bids = turn.bids.ownWasStale();
        } else {
            wakeAt(deadline);
        }
    }

    private void lapseBids() {
        turn.bids = turn.bids.withoutLapsed(turn.self(), half, turn.time());
        wakeAt(turn.bids.firstLapsesAt(half));
        Bids.Own own = turn.bids.own();
        if (own != null && !own.readBack()) {
            wakeAt(own.sentAt().plus(half));
        }
    }

    private boolean resignationIsOnItsWay() {
        return log.isHeldBy(turn.self())
                && !log.resigned()
                && turn.outgoing.resigned() == log.token()
                && turn.tenure.lease().holdsAt(turn.now);
    }

    private void claimWhen(MonotonicTime at) {
        if (!turn.hasReached(at)) {
            wakeAt(at);
            return;
        }
        claim();
    }

    private void claim() {
        turn.append(new LogRecord.Claim(
                turn.self(), turn.outgoing.nextSequence(), turn.settings.lease(), turn.settings.agreement()));
        turn.outgoing = turn.outgoing.sentClaim(turn.now);
        wakeAt(turn.time().plus(turn.settings.lease()));
    }

    /**
     * The owner by an assignment that knew the leader asks it to hand over, again every lease. Where leaders may overlap it
     * claims as soon as it has read its own bid, so that the work does not stop in between; not before, as one that the log
     * does not reach would supersede leader after leader without ever leading.
     */
    private void askLeader() {
        boolean leaderShouldHandOver = turn.ownership.isOwner(turn.self())
                && holding != null
                && !log.resigned()
                && !log.isHeldBy(turn.self())
                && turn.ownership.countedToken() == log.token();
        if (!leaderShouldHandOver) {
            return;
        }
        if (turn.isNonExclusive() && turn.ownership.heardItself()) {
            turn.ownership = turn.ownership.claiming();
            claim();
        } else if (turn.bids.own() == null) {
            MonotonicTime again = MonotonicTime.later(turn.ownership.askedAt().plus(lease), restUntil());
            if (turn.hasReached(again)) {
                turn.ownership = turn.ownership.asked(turn.time());
                bid();
                again = turn.time().plus(lease);
            }
            wakeAt(again);
        }
    }

    private void bidWhen(MonotonicTime at) {
        if (turn.bids.own() != null) {
            return;
        }
        if (turn.hasReached(at)) {
            bid();
        } else {
            wakeAt(at);
        }
    }

    private void bid() {
        turn.append(new LogRecord.Bid(turn.self(), log.token()));
        turn.bids = turn.bids.sentOwn(turn.time());
        wakeAt(turn.time().plus(half));
    }

    private MonotonicTime claimAt() {
        if (holding == null || log.resigned()) {
            return vacantAt();
        }
        // The claim's round trip overlaps with the rest of the old lease.
        return MonotonicTime.earlier(vacantAt(), holding.lastEffective().plusNanos(lease.toNanos() / 4 * 3));
    }

    private MonotonicTime bidAt() {
        MonotonicTime vacant = vacantAt();
        MonotonicTime at;
        if (turn.ownership.isOwner(turn.self())) {
            at = vacant;
        } else if (ownerNeedsNoHeadStart()) {
            at = vacant.plusNanos((long) (jitter() * SPREAD.toNanos()));
        } else {
            // The owner's head start.
            at = MonotonicTime.later(vacant, turn.ownership.assignedAt()).plus(half);
        }
        if (holding != null && !turn.hasReached(log.othersBound())) {
            // Another can lead sooner.
            at = MonotonicTime.later(at, MonotonicTime.earlier(vacant.plus(half), log.othersBound()));
        }
        return MonotonicTime.later(MonotonicTime.earlier(at, silentAt()), othersTurnUntil(vacant));
    }

    /** One that was fenced again and again leaves the partition to others for a while, if there are any that may bid. */
    private MonotonicTime restUntil() {
        boolean othersMayBid = turn.settings.takeover() && !turn.ownership.alone();
        return othersMayBid ? turn.fences.restUntil() : MonotonicTime.PAST;
    }

    /** Whoever rests bids all the same once the others should have: they may be dead, or rest as well. */
    private MonotonicTime othersTurnUntil(MonotonicTime vacant) {
        // Of a term that it led before it lost the log it does not know since when it is over.
        MonotonicTime since = MonotonicTime.later(vacant, log.startBound().answeredAt());
        MonotonicTime theyHadTheirTurn = since.plusNanos(lease.toNanos() / 10 * 6);
        return MonotonicTime.earlier(restUntil(), theyHadTheirTurn);
    }

    private boolean ownerNeedsNoHeadStart() {
        MemberId owner = turn.ownership.owner();
        return owner == null || turn.ownership.deposed() || (log.resigned() && log.isHeldBy(owner));
    }

    private MonotonicTime vacantAt() {
        if (holding == null) {
            return MonotonicTime.later(log.othersBound(), log.startBound().answeredAt());
        }
        if (log.resigned()) {
            return holding.resignedAt();
        }
        return log.isHeldBy(turn.self()) ? turn.tenure.lease().until() : holding.bound();
    }

    private MonotonicTime silentAt() {
        if (holding == null || log.resigned()) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime silent = holding.lastEffective().plus(half);
        return log.isHeldBy(turn.self()) ? silent : silent.plusNanos((long) (jitter() * lease.toNanos() / 10));
    }

    /**
     * Between 0 and 1, another for each member, partition and term: drawn from the incarnation, which is random. Another for
     * each partition, so that survivors share what a dead member led.
     */
    private double jitter() {
        long mixed = turn.self().incarnation().getLeastSignificantBits()
                + 0x9E3779B97F4A7C15L * (log.token() + 2)
                + 0xC2B2AE3D27D4EB4FL * turn.partition;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
