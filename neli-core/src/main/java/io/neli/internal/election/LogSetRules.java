package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.neli.LeaderEvent.FenceReason;
import org.jspecify.annotations.Nullable;

/**
 * The rules for which of several logs count: a leader decides, and its heartbeats tell the others. The first leader
 * writes the same set to all logs, and completes it once it has read it back in all. To let a log count that was
 * created again, a leader takes two steps: it writes the next set, which has a new identity for that log, to the
 * others; once it has read that back in a majority of them, it writes the identity to the log itself. The log counts
 * for each member that has read both.
 */
final class LogSetRules {

    private LogSetRules() {}

    /** Updates which logs count and how many are enough, after something was read. */
    static void count(PartitionContext context) {
        int quorum = context.logs().size();
        if (quorum == 1) {
            return;
        }
        LogSet newest = newest(context);
        boolean complete = logSets(context).anyMatch(LogSet::complete);
        context.partition.enough = complete ? context.settings.groupConfig().majority() : quorum;
        for (LogState log : context.logs()) {
            boolean counted = log.counts;
            log.counts = !complete || newest == null || newest.identities().get(log.number) == log.view.identity.id();
            if (counted && !log.counts && log.held) {
                context.lost(FenceReason.LOG_GAP);
            }
        }
    }

    /** The newest set in any log that this member reads; null if none. */
    private static @Nullable LogSet newest(PartitionContext context) {
        return logSets(context).reduce((a, b) -> b.isNewerThan(a) ? b : a).orElse(null);
    }

    private static Stream<LogSet> logSets(PartitionContext context) {
        return context.logs().stream()
                .map(log -> log.view.identity.logSet())
                .filter(read -> read != null
                        && read.identities().size() == context.logs().size());
    }

    static void act(PartitionContext context) {
        if (context.logs().size() == 1 || !context.partition.inTerm()) {
            return;
        }
        LogSet before = context.partition.logSet;
        LogSet newest = newest(context);
        LogSet own = before != null && newest != null && newest.isNewerThan(before) ? null : before;
        LogSet next =
                newest != null && context.partition.enough < context.logs().size()
                        ? change(context, own, newest)
                        : first(context, own);
        context.partition.logSet = next;
        if (next != null && !next.equals(before)) {
            context.heartbeatNow();
        }
    }

    /** Gives each log an identity. Once all logs' identities were read back, the set is complete. */
    private static @Nullable LogSet first(PartitionContext context, @Nullable LogSet own) {
        List<Long> identities = new ArrayList<>();
        boolean readBack = true;
        for (LogState log : context.logs()) {
            if (!log.isOpen()) {
                return own;
            }
            LogIdentity identity = log.view.identity;
            identities.add(identity.isKnown() ? identity.id() : context.freshId(log));
            readBack &= own != null
                    && identity.logSet() != null
                    && identity.logSet().isSameChange(own)
                    && own.identities().get(log.number) == identity.id();
        }
        if (own == null) {
            return new LogSet(context.partition.token, 0, identities, false);
        }
        return readBack ? own.completed() : own;
    }

    /**
     * Gives an identity to a log that this leader holds but that does not count. The identity was never used before,
     * because the old log may still serve some members.
     */
    private static @Nullable LogSet change(PartitionContext context, @Nullable LogSet own, LogSet newest) {
        if (own != null && isUnderWay(context, own)) {
            return own;
        }
        for (LogState log : context.logs()) {
            if (log.held && !log.counts) {
                long number = own == null ? 0 : own.change() + 1;
                return newest.changed(context.partition.token, number, log.number, context.freshId(log));
            }
        }
        return own;
    }

    private static boolean isUnderWay(PartitionContext context, LogSet own) {
        return context.anyLog(log -> log.isOpen()
                && own.identities().get(log.number) == context.freshId(log)
                && log.view.identity.id() != context.freshId(log));
    }

    /** What a heartbeat in that log says about it; null if there is no other log. */
    static LogRecord.@Nullable Mark mark(PartitionContext context, LogState log) {
        LogRecord.Written latest = log.view.latestWritten();
        return context.logs().size() == 1 || latest == null ? null : new LogRecord.Mark(latest, identity(context, log));
    }

    private static LogIdentity identity(PartitionContext context, LogState log) {
        LogSet own = context.partition.inTerm() ? context.partition.logSet : null;
        if (own == null) {
            return log.view.identity.completedBy(newest(context));
        }
        long named = own.identities().get(log.number);
        boolean mayBegin = !own.complete() || (named == context.freshId(log) && isKnownToOthers(context, log, own));
        return new LogIdentity(mayBegin ? named : log.view.identity.id(), own);
    }

    /** Whether every majority, with the old log or without it, includes another log that has this set. */
    private static boolean isKnownToOthers(PartitionContext context, LogState log, LogSet own) {
        long known = context.logs().stream()
                .filter(other -> other != log && own.equals(other.view.identity.logSet()))
                .count();
        return known >= context.settings.groupConfig().majority();
    }
}
