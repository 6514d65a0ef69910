package io.neli.internal.election;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** The rules from a partition that is silent or vacant to the claim. */
final class StandbyRules {

    /** Members without a head start spread their bids over this time, so that usually only one has to bid. */
    private static final Duration SPREAD = Duration.ofMillis(5);

    /** All others wait at least and at most this long for the claim of a successor. */
    private static final long SHORTEST_INVITATION = Duration.ofMillis(25).toNanos();

    private static final long LONGEST_INVITATION = Duration.ofMillis(250).toNanos();

    private final LogContext context;
    private final LogView log;
    private final @Nullable ObservedTerm observed;
    private final Duration lease;
    private final Duration half;
    private MonotonicTime next = MonotonicTime.NEVER;

    private StandbyRules(LogContext context, LogView log) {
        this.context = context;
        this.log = log;
        this.observed = log.observed();
        this.lease = observed == null ? context.settings().leaseDuration() : observed.lease();
        this.half = Duration.ofNanos(lease.toNanos() / 2);
    }

    /** Returns when the next step is due. */
    static MonotonicTime act(LogContext context, LogView log) {
        return new StandbyRules(context, log).act();
    }

    private MonotonicTime act() {
        giveUpClaim();
        lapseBids();
        if (!context.partition.mayHold(context) || !log.caughtUp() || context.outgoing.claim() != null) {
            return next;
        }
        if (context.state().resignInFlight(context.now())) {
            wakeAt(context.ownTerm.lease().until());
        } else {
            requestHandover();
            if (context.outgoing.claim() == null) {
                bidOrClaim();
            }
        }
        return next;
    }

    private void bidOrClaim() {
        if (isInvited()) {
            claim();
        } else if (context.bids.isFirst(context.self())) {
            // A leader that has answered in another log since was only slow.
            boolean leads = context.partition.leadership.leads();
            claimWhen(leads ? claimAt() : MonotonicTime.later(claimAt(), leaderSilentAt()));
        } else if (context.bids.hasRoom()) {
            bidWhen(bidAt());
        }
    }

    /** The successor claims without a bid, unless others can lead sooner; it bids like all others if that takes too long. */
    private boolean isInvited() {
        return observed != null
                && isSuccessor(observed)
                && (context.hasReached(log.othersBound()) || context.partition.isCandidate())
                && !context.hasReached(invitedUntil(observed));
    }

    /**
     * Until when all others wait for the claim of a successor; a dead one costs that time. A resignation wakes every member of a
     * large group, so that the claim is written and read later. If others claim as well, that costs a lease: the longer the lease,
     * the longer they wait.
     */
    private static MonotonicTime invitedUntil(ObservedTerm resigned) {
        long share = resigned.lease().toNanos() / 20;
        return resigned.resignedAt().plusNanos(Math.max(SHORTEST_INVITATION, Math.min(LONGEST_INVITATION, share)));
    }

    private boolean isSuccessor(ObservedTerm resigned) {
        return context.self().hash().equals(resigned.successor());
    }

    private void wakeAt(MonotonicTime time) {
        next = MonotonicTime.earlier(next, time);
    }

    /** A claim not read back within the lease is given up. If it still arrives, it is read like any other. */
    private void giveUpClaim() {
        Outgoing.Sent claim = context.outgoing.claim();
        if (claim == null) {
            return;
        }
        MonotonicTime deadline = claim.at().time().plus(context.settings().leaseDuration());
        if (context.hasReached(deadline)) {
            context.outgoing = context.outgoing.withoutClaim();
            context.bids = context.bids.withoutOwn();
            context.partition.campaign.endIfOver();
        } else {
            wakeAt(deadline);
        }
    }

    private void lapseBids() {
        context.bids = context.bids.withoutLapsed(context.self(), half, context.time());
        wakeAt(context.bids.firstLapsesAt(half));
        Bids.Own own = context.bids.own();
        if (own != null && !own.readBack()) {
            wakeAt(own.sentAt().plus(half));
        }
    }

    private void claimWhen(MonotonicTime at) {
        if (context.hasReached(at)) {
            claim();
        } else {
            wakeAt(at);
        }
    }

    private void claim() {
        long token = context.partition.campaign.tokenToClaim(log);
        context.append(new LogRecord.Claim(context.sender(token, log), context.grant()));
        context.outgoing = context.outgoing.sentClaim(context.now());
        wakeAt(context.time().plus(context.settings().leaseDuration()));
    }

    /**
     * If the assignment is based on the leader's term, the owner asks the leader to hand over, once per lease. In
     * non-exclusive mode it then claims, so that work does not stop in between, but only after reading its own bid:
     * otherwise an owner that cannot read the log would supersede leader after leader without ever leading.
     */
    private void requestHandover() {
        boolean leaderShouldHandOver = context.ownership.isOwner(context.self())
                && observed != null
                && !log.resigned()
                && !log.isHeldBy(context.self())
                && context.ownership.countedToken() == log.token();
        if (!leaderShouldHandOver) {
            return;
        }
        if (context.isNonExclusive() && context.ownership.readOwnBid()) {
            context.ownership = context.ownership.claiming();
            claim();
        } else if (context.bids.own() == null) {
            MonotonicTime again =
                    MonotonicTime.later(context.ownership.askedAt().plus(lease), restUntil());
            if (context.hasReached(again)) {
                context.ownership = context.ownership.asked(context.time());
                bid();
                again = context.time().plus(lease);
            }
            wakeAt(again);
        }
    }

    private void bidWhen(MonotonicTime at) {
        if (context.bids.own() != null) {
            return;
        }
        if (context.hasReached(at)) {
            bid();
        } else {
            wakeAt(at);
        }
    }

    private void bid() {
        context.append(new LogRecord.Bid(context.sender(log), log.termOffset()));
        context.bids = context.bids.sentOwn(context.time());
        wakeAt(context.time().plus(half));
    }

    private MonotonicTime claimAt() {
        if (observed == null || log.resigned()) {
            return vacantAt();
        }
        // The claim's round trip overlaps with the rest of the old lease.
        return MonotonicTime.earlier(vacantAt(), observed.lastEffective().plusNanos(lease.toNanos() / 4 * 3));
    }

    private MonotonicTime bidAt() {
        MonotonicTime vacant = vacantAt();
        MonotonicTime at;
        boolean leads = context.partition.leadership.leads();
        if (leads || context.partition.isCandidate() || context.ownership.isOwner(context.self())) {
            at = vacant;
        } else if (ownerNeedsNoHeadStart()) {
            at = vacant.plusNanos((long) (jitter() * SPREAD.toNanos()));
        } else {
            // The owner has a head start.
            at = MonotonicTime.later(vacant, context.ownership.assignedAt()).plus(half);
        }
        MonotonicTime othersBound = context.partition.othersBound();
        if (observed != null && !context.hasReached(othersBound)) {
            // Others can lead sooner.
            at = MonotonicTime.later(at, MonotonicTime.earlier(vacant.plus(half), othersBound));
        }
        at = MonotonicTime.earlier(at, silentAt());
        return leads ? at : MonotonicTime.later(at, MonotonicTime.later(restEndsAt(vacant), leaderSilentAt()));
    }

    /** Until when a leader is not silent in another log of the partition: it keeps leading without this one. */
    private MonotonicTime leaderSilentAt() {
        MonotonicTime latest = MonotonicTime.PAST;
        for (LogContext other : context.partition.logs) {
            if (other != context && other.log != null && context.partition.isLedByAnother(other.log)) {
                latest = MonotonicTime.later(latest, new StandbyRules(other, other.log).silentAt());
            }
        }
        return latest;
    }

    /** Until when a member that was fenced repeatedly lets others bid first, if there are any. */
    private MonotonicTime restUntil() {
        return context.ownership.alone() ? MonotonicTime.PAST : context.partition.fenceHistory.restUntil();
    }

    /** The rest ends once the others have had time to bid: they may be dead, or resting too. */
    private MonotonicTime restEndsAt(MonotonicTime vacant) {
        // If the log was lost, the member does not know when its own term ended, and counts from the opening.
        MonotonicTime since = MonotonicTime.later(vacant, log.unreadLeases().answeredAt());
        return MonotonicTime.earlier(restUntil(), since.plusNanos(lease.toNanos() / 10 * 6));
    }

    private boolean ownerNeedsNoHeadStart() {
        return context.ownership.owner() == null || context.ownership.ownerSuperseded() || ownerHadItsTurn();
    }

    /** It has resigned, or was invited to follow and did not. */
    private boolean ownerHadItsTurn() {
        return observed != null
                && log.resigned()
                && (context.ownership.isOwner(observed.term().holder())
                        || Objects.equals(context.ownership.owner(), observed.successor()));
    }

    private MonotonicTime vacantAt() {
        if (observed == null) {
            return MonotonicTime.later(log.othersBound(), log.unreadLeases().answeredAt());
        }
        if (log.resigned()) {
            boolean othersFirst = observed.successor() != null && !isSuccessor(observed);
            return othersFirst ? invitedUntil(observed) : observed.resignedAt();
        }
        return log.isHeldBy(context.self()) ? context.ownTerm.lease().until() : observed.bound();
    }

    private MonotonicTime silentAt() {
        if (observed == null || log.resigned()) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime silent = observed.lastEffective().plus(half);
        return log.isHeldBy(context.self())
                ? silent
                : silent.plusNanos((long) (mostlyLate(jitter()) * lease.toNanos() / 10));
    }

    /**
     * Of any number of members up to a thousand, few come early, and these are far apart, so that the others read their bids before
     * they would bid themselves. Evenly spread, half of 300 members would bid in the time that so many need to read one.
     */
    private static double mostlyLate(double jitter) {
        return Math.max(0, 1 + Math.log(jitter) / Math.log(1_000));
    }

    /**
     * A number from 0 to 1 for this member, partition and term, derived from the random incarnation. As it differs between
     * partitions, the survivors share what a dead member led; as it is the same for all logs of a partition, the same member is
     * usually first in all of them.
     */
    private double jitter() {
        long mixed = context.self().mixed(context.partition.campaign.largestToken(), context.partition.partition, 0);
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
