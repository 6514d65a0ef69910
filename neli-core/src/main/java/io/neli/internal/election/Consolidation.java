package io.neli.internal.election;

import java.util.Comparator;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a member does that holds logs of a partition and does not lead it. Several candidates may hold some each, so that none has a
 * majority: all but one must give theirs up. These rules decide how soon somebody leads, never that only one does.
 */
final class Consolidation {

    private Consolidation() {}

    /** Returns when the next step is due. */
    static MonotonicTime act(PartitionContext context) {
        MonotonicTime next = MonotonicTime.NEVER;
        if (context.leadership.leads() || !context.isCandidate()) {
            return next;
        }
        Term led = leader(context);
        MemberHash first = led == null ? firstHolder(context) : led.holder().hash();
        boolean yields = first != null && !first.equals(context.self.hash());
        // An earlier leader may be about to resign, or has yet to read that it was superseded.
        boolean decided = led == null ? isAllHeld(context) : led.token() > context.leadership.token();
        for (LogContext log : context.logs) {
            if (log.ownTerm.exists()) {
                next = MonotonicTime.earlier(next, act(context, log, yields ? first : null, decided));
            }
        }
        return next;
    }

    private static MonotonicTime act(
            PartitionContext context, LogContext log, @Nullable MemberHash yieldsTo, boolean decided) {
        MonotonicTime patienceUntil = log.ownTerm.claimedAt().plusNanos(leaseOf(context) / 4);
        if (yieldsTo != null && (decided || context.hasReached(patienceUntil))) {
            HolderRules.release(log, yieldsTo);
            return MonotonicTime.NEVER;
        }
        if (log.isReached() && !context.isEnough(LogContext::isReached)) {
            HolderRules.release(log);
            return MonotonicTime.NEVER;
        }
        MonotonicTime next = yieldsTo == null ? MonotonicTime.NEVER : patienceUntil;
        for (LogContext other : context.logs) {
            if (other != log && other.isReached()) {
                next = MonotonicTime.earlier(next, other.reachedUntil());
            }
        }
        return next;
    }

    /** Whether nothing is left to be claimed in the logs that answer, and no claim of this member is under way. */
    private static boolean isAllHeld(PartitionContext context) {
        return context.logs.stream()
                .allMatch(log -> log.outgoing.claim() == null
                        && (!log.isReached() || log.awaitsAnswer() || holderOf(context, log) != null));
    }

    private static long leaseOf(PartitionContext context) {
        return context.settings.leaseDuration().toNanos();
    }

    /** The term that another member leads, as it reports in a log that this one does not hold; null if none does. */
    private static @Nullable Term leader(PartitionContext context) {
        return context.logs.stream()
                .map(log -> log.log)
                .filter(Objects::nonNull)
                .filter(log -> context.isLedByAnother(log) && !log.isSilentAt(context.now.time()))
                .map(LogView::term)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Term::token))
                .orElse(null);
    }

    /** To whom all others yield: who holds enough, or else the first of the logs that are reached and count; null if there is none. */
    private static @Nullable MemberHash firstHolder(PartitionContext context) {
        MemberId first = null;
        for (LogContext log : context.logs) {
            MemberId holder = holderOf(context, log);
            if (holder != null && context.isEnough(each -> holder.equals(holderOf(context, each)))) {
                return holder.hash();
            }
            first = first == null && log.counts ? holder : first;
        }
        return first == null ? null : first.hash();
    }

    /** A holder that has been silent for long may be dead. */
    private static @Nullable MemberId holderOf(PartitionContext context, LogContext log) {
        boolean answers = log.ownTerm.exists() || (log.log != null && !log.log.isSilentAt(context.now.time()));
        return log.isReached() && answers ? log.state().holderAt(context.now, context.self) : null;
    }
}
