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
        if (context.leadership.leads()) {
            return next;
        }
        MemberHash leader = leader(context);
        for (LogContext log : context.logs) {
            if (log.ownTerm.exists()) {
                next = MonotonicTime.earlier(next, act(context, log, leader));
            }
        }
        return next;
    }

    private static MonotonicTime act(PartitionContext context, LogContext log, @Nullable MemberHash leader) {
        if (leader != null) {
            HolderRules.release(log, leader);
            return MonotonicTime.NEVER;
        }
        if (log.isReached() && !context.isMajority(LogContext::isReached)) {
            HolderRules.release(log);
            return MonotonicTime.NEVER;
        }
        MemberHash first = holderOfEarlierLog(context, log);
        MonotonicTime patienceUntil = log.ownTerm.claimedAt().plusNanos(leaseOf(context) / 4);
        if (first != null && context.hasReached(patienceUntil)) {
            HolderRules.release(log, first);
            return MonotonicTime.NEVER;
        }
        MonotonicTime next = first == null ? MonotonicTime.NEVER : patienceUntil;
        for (LogContext other : context.logs) {
            if (other != log && other.isReached()) {
                next = MonotonicTime.earlier(next, other.reachedUntil());
            }
        }
        return next;
    }

    private static long leaseOf(PartitionContext context) {
        return context.settings.leaseDuration().toNanos();
    }

    /**
     * The member that leads the partition, as it reports in a log that this one does not hold; null if none does. In non-exclusive
     * mode an earlier leader still leads, and is to be followed.
     */
    private static @Nullable MemberHash leader(PartitionContext context) {
        Term led = context.logs.stream()
                .filter(log -> log.state().isLedByAnother(context.self, context.now.time()))
                .map(log -> log.state().term())
                .filter(Objects::nonNull)
                .filter(term -> !context.isNonExclusive() || term.token() > context.leadership.token())
                .max(Comparator.comparingLong(Term::token))
                .orElse(null);
        return led == null ? null : led.holder().hash();
    }

    /** Who holds a log before that one; null if nobody does. */
    private static @Nullable MemberHash holderOfEarlierLog(PartitionContext context, LogContext log) {
        for (LogContext earlier : context.logs.subList(0, log.number())) {
            MemberId holder = earlier.isReached() ? earlier.state().holderAt(context.now, context.self) : null;
            if (holder != null && !holder.equals(context.self)) {
                return holder.hash();
            }
        }
        return null;
    }
}
