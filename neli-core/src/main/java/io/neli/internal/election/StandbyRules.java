package io.neli.internal.election;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The rules from a silent or vacant log to this member's claim. {@link #bidAt} says when it bids, {@link #silentAt}
 * when it bids because the holder is silent.
 */
final class StandbyRules {

    /** Members without a head start spread their bids for a vacancy over this time, so that usually only one bids. */
    private static final Duration VACANCY_SPREAD = Duration.ofMillis(5);

    /** The shortest and the longest time for which all others wait for the claim of a successor. */
    private static final long SHORTEST_INVITATION = Duration.ofMillis(25).toNanos();

    private static final long LONGEST_INVITATION = Duration.ofMillis(250).toNanos();

    private final PartitionContext context;
    private final LogState log;
    private final @Nullable ObservedTerm observed;
    private final Duration lease;
    private final Duration half;
    private MonotonicTime next = MonotonicTime.NEVER;

    private StandbyRules(PartitionContext context, LogState log) {
        this.context = context;
        this.log = log;
        this.observed = log.view.observed;
        this.lease = observed == null ? context.settings.leaseDuration() : observed.lease();
        this.half = Duration.ofNanos(lease.toNanos() / 2);
    }

    /** Returns when the next step is due. */
    static MonotonicTime act(PartitionContext context, LogState log) {
        return new StandbyRules(context, log).act();
    }

    private MonotonicTime act() {
        giveUpClaim();
        lapseBids();
        if (!context.mayHold(log) || !log.view.caughtUp() || log.claim != null) {
            return next;
        }
        if (log.resignInFlight(context.now)) {
            wakeAt(log.lease.until());
        } else {
            requestHandover();
            if (log.claim == null) {
                bidOrClaim();
            }
        }
        return next;
    }

    private void bidOrClaim() {
        if (isInvited()) {
            claim();
        } else if (log.bids.isFirst(context.self)) {
            // A leader that has answered in another log in the meantime was only slow.
            boolean leads = context.partition.leads();
            when(leads ? claimAt() : MonotonicTime.later(claimAt(), leaderSilentAt()), this::claim);
        } else if (log.bids.hasRoom() && log.bids.own() == null) {
            when(bidAt(), this::bid);
        }
    }

    /**
     * Whether this member may claim without a bid, as the invited successor. It may not if others can lead sooner, and
     * bids like all others once the invitation is over.
     */
    private boolean isInvited() {
        return observed != null
                && isSuccessor(observed)
                && (context.hasReached(log.view.othersBound()) || context.isCandidate())
                && !context.hasReached(invitedUntil(observed));
    }

    /**
     * Until when all others wait for the claim of a successor; a dead one costs that time. In a large group the claim
     * may be slow, because a resignation wakes every member. If others claim as well, that costs a lease: so they wait
     * longer if leases are longer.
     */
    private static MonotonicTime invitedUntil(ObservedTerm resigned) {
        long share = resigned.lease().toNanos() / 20;
        return resigned.resignedAt().plusNanos(Math.max(SHORTEST_INVITATION, Math.min(LONGEST_INVITATION, share)));
    }

    private boolean isSuccessor(ObservedTerm resigned) {
        return context.self.hash().equals(resigned.successor());
    }

    private Ownership ownership() {
        return context.partition.ownership;
    }

    private void when(MonotonicTime time, Runnable act) {
        if (context.hasReached(time)) {
            act.run();
        } else {
            wakeAt(time);
        }
    }

    private void wakeAt(MonotonicTime time) {
        next = MonotonicTime.earlier(next, time);
    }

    /** A claim not read back within the lease is given up. If it still arrives, it is read like any other. */
    private void giveUpClaim() {
        Outgoing.Sent claim = log.claim;
        if (claim == null) {
            return;
        }
        MonotonicTime deadline = claim.at().time().plus(context.settings.leaseDuration());
        if (context.hasReached(deadline)) {
            log.claim = null;
            log.bids = log.bids.withoutOwn();
            TokenRules.endIfOver(context);
        } else {
            wakeAt(deadline);
        }
    }

    private void lapseBids() {
        log.bids = log.bids.withoutLapsed(context.self, half, context.now.time());
        wakeAt(log.bids.firstLapsesAt(half));
        Bids.Own own = log.bids.own();
        if (own != null && !own.readBack()) {
            wakeAt(own.sentAt().plus(half));
        }
    }

    private void claim() {
        long token = TokenRules.tokenToClaim(context, log);
        Outgoing.Sent claim = log.outgoing.next(context.now);
        context.append(log, new LogRecord.Claim(context.sender(token, log), context.grant(claim)));
        log.outgoing = log.outgoing.sent(claim);
        log.claim = claim;
        wakeAt(context.now.time().plus(context.settings.leaseDuration()));
    }

    /**
     * If the assignment is based on the leader's term, the owner asks the leader to hand over, once per lease. In
     * non-exclusive mode it then claims, so that work does not stop in between, but only after reading its own bid:
     * otherwise an owner that cannot read the log would supersede leader after leader without ever leading.
     */
    private void requestHandover() {
        boolean leaderShouldHandOver = ownership().isOwner(context.self)
                && observed != null
                && !log.view.resigned()
                && !log.view.isHeldBy(context.self)
                && ownership().countedToken() == log.view.token();
        if (!leaderShouldHandOver) {
            return;
        }
        if (context.isNonExclusive() && log.readOwnBid) {
            log.readOwnBid = false;
            claim();
        } else if (log.bids.own() == null) {
            MonotonicTime again = MonotonicTime.later(log.askedAt.plus(lease), restUntil());
            if (context.hasReached(again)) {
                log.askedAt = context.now.time();
                log.readOwnBid = false;
                bid();
                again = context.now.time().plus(lease);
            }
            wakeAt(again);
        }
    }

    private void bid() {
        context.append(log, new LogRecord.Bid(context.sender(log), log.view.termOffset()));
        log.bids = log.bids.sentOwn(context.now.time());
        wakeAt(context.now.time().plus(half));
    }

    private MonotonicTime claimAt() {
        if (observed == null || log.view.resigned()) {
            return vacantAt();
        }
        // The claim's round trip overlaps with the rest of the old lease.
        return MonotonicTime.earlier(vacantAt(), observed.lastEffective().plusNanos(lease.toNanos() / 4 * 3));
    }

    private MonotonicTime bidAt() {
        MonotonicTime vacant = vacantAt();
        MonotonicTime at;
        boolean leads = context.partition.leads();
        if (leads || context.isCandidate() || ownership().isOwner(context.self)) {
            at = vacant;
        } else if (ownerNeedsNoHeadStart()) {
            at = vacant.plusNanos((long) (jitter() * VACANCY_SPREAD.toNanos()));
        } else {
            // The owner has a head start.
            at = MonotonicTime.later(vacant, ownership().assignedAt()).plus(half);
        }
        MonotonicTime othersBound = context.othersBound();
        if (observed != null && !context.hasReached(othersBound)) {
            // Others can lead sooner.
            at = MonotonicTime.later(at, MonotonicTime.earlier(vacant.plus(half), othersBound));
        }
        at = MonotonicTime.earlier(at, silentAt());
        return leads ? at : MonotonicTime.later(at, MonotonicTime.later(restEndsAt(vacant), leaderSilentAt()));
    }

    /** Until when a leader is not silent in some other log of the partition: it keeps leading without this one. */
    private MonotonicTime leaderSilentAt() {
        MonotonicTime latest = MonotonicTime.PAST;
        for (LogState other : context.logs()) {
            if (other != log && context.isLedByAnother(other)) {
                latest = MonotonicTime.later(latest, new StandbyRules(context, other).silentAt());
            }
        }
        return latest;
    }

    /** Until when a member that was fenced repeatedly lets others bid first, if there are any. */
    private MonotonicTime restUntil() {
        return ownership().alone() ? MonotonicTime.PAST : context.partition.fenceHistory.restUntil();
    }

    /** The rest ends once the others have had time to bid: they may be dead, or resting too. */
    private MonotonicTime restEndsAt(MonotonicTime vacant) {
        // If the log was lost, the member does not know when its own term ended, and counts from the opening.
        MonotonicTime since = MonotonicTime.later(vacant, log.view.openedAt);
        return MonotonicTime.earlier(restUntil(), since.plusNanos(lease.toNanos() / 10 * 6));
    }

    private boolean ownerNeedsNoHeadStart() {
        return ownership().owner() == null || log.ownerSuperseded || ownerHadItsTurn();
    }

    /** Whether the owner has resigned, or was invited to follow and has not claimed. */
    private boolean ownerHadItsTurn() {
        return observed != null
                && log.view.resigned()
                && (ownership().isOwner(observed.term().holder())
                        || Objects.equals(ownership().owner(), observed.successor()));
    }

    private MonotonicTime vacantAt() {
        if (observed == null) {
            return MonotonicTime.later(log.view.othersBound(), log.view.openedAt);
        }
        if (log.view.resigned()) {
            boolean othersFirst = observed.successor() != null && !isSuccessor(observed);
            return othersFirst ? invitedUntil(observed) : observed.resignedAt();
        }
        return log.view.isHeldBy(context.self) ? log.lease.until() : observed.bound();
    }

    private MonotonicTime silentAt() {
        if (observed == null || log.view.resigned()) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime silent = observed.lastEffective().plus(half);
        return log.view.isHeldBy(context.self)
                ? silent
                : silent.plusNanos((long) (mostlyLate(jitter()) * lease.toNanos() / 10));
    }

    /**
     * Makes most members late. Of any number up to a thousand, few bid early and far apart, so that the others read
     * these bids before they would bid. With an even spread, half of 300 members would bid before that many members can
     * read a bid.
     */
    private static double mostlyLate(double jitter) {
        return Math.max(0, 1 + Math.log(jitter) / Math.log(1_000));
    }

    /**
     * A number from 0 to 1 for this member, partition and term, derived from the random incarnation. It differs between
     * partitions, so that the survivors share what a dead member led. It is the same for all logs of a partition, so
     * that usually the same member is first in all of them.
     */
    private double jitter() {
        long mixed = context.self.mixed(context.largestToken(), context.number, 0);
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
