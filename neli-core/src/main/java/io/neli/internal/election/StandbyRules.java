package io.neli.internal.election;

import java.time.Duration;
import java.util.Objects;

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
    private final LogView view;
    private final PartitionState partition;
    private final Duration lease;
    private final Duration half;

    StandbyRules(PartitionContext context, LogState log) {
        this.context = context;
        this.log = log;
        this.view = log.view;
        this.partition = context.partition;
        this.lease = view.term == null ? context.settings.leaseDuration() : view.lease;
        this.half = Duration.ofNanos(lease.toNanos() / 2);
    }

    void act() {
        giveUpClaim();
        lapseBids();
        if (!context.mayHold(log) || !view.caughtUp() || log.claim != null) {
            return;
        }
        if (log.resignInFlight(context.now)) {
            context.wakeAt(log.lease.until());
        } else {
            requestHandover();
            if (log.claim == null) {
                bidOrClaim();
            }
        }
    }

    private void bidOrClaim() {
        if (isInvited()) {
            claim();
        } else if (log.bids.isFirst(context.self)) {
            // A leader that has answered in another log in the meantime was only slow.
            boolean leads = partition.inTerm();
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
        return isSuccessor()
                && (context.hasReached(view.othersBound()) || context.isCandidate())
                && !context.hasReached(invitedUntil());
    }

    /**
     * Until when all others wait for the claim of a successor; a dead one costs that time. In a large group the claim
     * may be slow, because a resignation wakes every member. If others claim as well, that costs a lease: so they wait
     * longer if leases are longer.
     */
    private MonotonicTime invitedUntil() {
        long share = lease.toNanos() / 20;
        return view.resignedAt.plusNanos(Math.max(SHORTEST_INVITATION, Math.min(LONGEST_INVITATION, share)));
    }

    private boolean isSuccessor() {
        return context.self.hash().equals(view.successor);
    }

    private void when(MonotonicTime time, Runnable act) {
        if (context.hasReached(time)) {
            act.run();
        } else {
            context.wakeAt(time);
        }
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
            context.wakeAt(deadline);
        }
    }

    private void lapseBids() {
        log.bids = log.bids.withoutLapsed(context.self, half, context.now.time());
        context.wakeAt(log.bids.firstLapsesAt(half));
        context.wakeAt(log.bids.ownLapsesAt(half));
    }

    private void claim() {
        long token = TokenRules.tokenToClaim(context, log);
        Outgoing.Sent claim = log.outgoing.next(context.now);
        context.append(log, new LogRecord.Claim(context.sender(token, log), context.grant(claim)));
        log.outgoing = log.outgoing.sent(claim);
        log.claim = claim;
        context.wakeAt(context.now.time().plus(context.settings.leaseDuration()));
    }

    /**
     * If the assignment is based on the leader's term, the owner asks the leader to hand over, once per lease. In
     * non-exclusive mode it then claims, so that work does not stop in between, but only after reading its own bid:
     * otherwise an owner that cannot read the log would supersede leader after leader without ever leading.
     */
    private void requestHandover() {
        boolean leaderShouldHandOver = partition.share.isOwner(context.self)
                && view.term != null
                && !view.resigned()
                && !view.isHeldBy(context.self)
                && partition.share.isBasedOn(view.token());
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
            context.wakeAt(again);
        }
    }

    private void bid() {
        context.append(log, new LogRecord.Bid(context.sender(log), view.termOffset()));
        log.bids = log.bids.sentOwn(context.now.time());
        context.wakeAt(context.now.time().plus(half));
    }

    private MonotonicTime claimAt() {
        if (view.unresignedHolder() == null) {
            return vacantAt();
        }
        // The claim's round trip overlaps with the rest of the old lease.
        return MonotonicTime.earlier(vacantAt(), view.lastEffective.plusNanos(lease.toNanos() / 4 * 3));
    }

    private MonotonicTime bidAt() {
        MonotonicTime vacant = vacantAt();
        MonotonicTime at;
        boolean leads = partition.inTerm();
        if (leads || context.isCandidate() || partition.share.isOwner(context.self)) {
            at = vacant;
        } else if (ownerNeedsNoHeadStart()) {
            at = vacant.plusNanos((long) (jitter() * VACANCY_SPREAD.toNanos()));
        } else {
            // The owner has a head start.
            at = MonotonicTime.later(vacant, partition.assignedAt).plus(half);
        }
        MonotonicTime othersBound = context.othersBound();
        if (view.term != null && !context.hasReached(othersBound)) {
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
            if (other != log && context.hasUnresignedLeader(other)) {
                latest = MonotonicTime.later(latest, new StandbyRules(context, other).silentAt());
            }
        }
        return latest;
    }

    /** Until when a member that was fenced repeatedly lets others bid first, if there are any. */
    private MonotonicTime restUntil() {
        return partition.alone ? MonotonicTime.PAST : partition.fenceHistory.restUntil();
    }

    /** The rest ends once the others have had time to bid: they may be dead, or resting too. */
    private MonotonicTime restEndsAt(MonotonicTime vacant) {
        // If the log was lost, the member does not know when its own term ended, and counts from the opening.
        MonotonicTime since = MonotonicTime.later(vacant, view.openedAt);
        return MonotonicTime.earlier(restUntil(), since.plusNanos(lease.toNanos() / 10 * 6));
    }

    private boolean ownerNeedsNoHeadStart() {
        return partition.share.owner() == null || log.ownerSuperseded || ownerHadItsTurn();
    }

    /** Whether the owner has resigned, or was invited to follow and has not claimed. */
    private boolean ownerHadItsTurn() {
        return view.term != null
                && view.term.resigned()
                && (partition.share.isOwner(view.term.holder())
                        || Objects.equals(partition.share.owner(), view.successor));
    }

    private MonotonicTime vacantAt() {
        if (view.term == null) {
            return MonotonicTime.later(view.othersBound(), view.openedAt);
        }
        if (view.resigned()) {
            boolean othersFirst = view.successor != null && !isSuccessor();
            return othersFirst ? invitedUntil() : view.resignedAt;
        }
        return view.isHeldBy(context.self) ? log.lease.until() : view.holderBound;
    }

    private MonotonicTime silentAt() {
        if (view.unresignedHolder() == null) {
            return MonotonicTime.NEVER;
        }
        MonotonicTime silent = view.lastEffective.plus(half);
        return view.isHeldBy(context.self)
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
