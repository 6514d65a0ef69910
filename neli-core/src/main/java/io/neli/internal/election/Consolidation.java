package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * The rules for a member that holds some logs of a partition but does not lead it. Several candidates may hold some
 * logs each, so that none has a majority: all but one must release theirs. These rules only make some member lead
 * sooner: other rules ensure that only one does.
 */
final class Consolidation {

    private Consolidation() {}

    static void act(PartitionContext context) {
        if (context.partition.inTerm() || !context.isCandidate()) {
            return;
        }
        Term led = leader(context);
        MemberHash first = led == null ? firstHolder(context) : led.holder().hash();
        boolean yields = first != null && !first.equals(context.self.hash());
        // A leader of an earlier term may be about to resign, or may not have read yet that it was superseded.
        boolean decided = led == null ? isAllHeld(context) : led.token() > context.partition.token;
        for (LogState log : context.logs()) {
            if (log.isClaimed()) {
                act(context, log, yields ? first : null, decided);
            }
        }
    }

    private static void act(PartitionContext context, LogState log, @Nullable MemberHash yieldsTo, boolean decided) {
        MonotonicTime patienceUntil =
                log.claimedAt.plusNanos(context.settings.leaseDuration().toNanos() / 4);
        if (yieldsTo != null && (decided || context.hasReached(patienceUntil))) {
            HolderRules.release(context, log, yieldsTo);
            return;
        }
        if (context.isReached(log) && !context.isEnough(context::isReached)) {
            HolderRules.release(context, log);
            return;
        }
        if (yieldsTo != null) {
            context.wakeAt(patienceUntil);
        }
        for (LogState other : context.logs()) {
            if (other != log && context.isReached(other)) {
                context.wakeAt(context.reachedUntil(other));
            }
        }
    }

    /** Whether every log that answers has a holder, and no claim of this member is in flight. */
    private static boolean isAllHeld(PartitionContext context) {
        return context.logs().stream()
                .allMatch(log -> log.claim == null
                        && (!context.isReached(log) || log.awaitsAnswer() || holderOf(context, log) != null));
    }

    /** The latest term that another member leads, as it reports in a log that it holds; null if none does. */
    private static @Nullable Term leader(PartitionContext context) {
        return context.partition.latestTerm(
                log -> context.hasUnresignedLeader(log) && !log.view.isSilentAt(context.now.time()));
    }

    /**
     * The member to which all others yield: the holder of enough logs to lead, or else the holder of the first log that
     * counts and has one; null if there is neither.
     */
    private static @Nullable MemberHash firstHolder(PartitionContext context) {
        MemberId first = null;
        for (LogState log : context.logs()) {
            MemberId holder = holderOf(context, log);
            if (holder != null && context.isEnough(each -> holder.equals(holderOf(context, each)))) {
                return holder.hash();
            }
            first = first == null && log.counts ? holder : first;
        }
        return first == null ? null : first.hash();
    }

    /** The log's holder. Null if it has been silent, because it may be dead, or if the log is not reached. */
    private static @Nullable MemberId holderOf(PartitionContext context, LogState log) {
        boolean answers = log.isClaimed() || !log.view.isSilentAt(context.now.time());
        return context.isReached(log) && answers ? log.holderAt(context.now, context.self) : null;
    }
}
