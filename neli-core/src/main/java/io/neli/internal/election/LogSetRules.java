package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** A leader decides which of several logs count. Its heartbeats tell the others. */
final class LogSetRules {

    private LogSetRules() {}

    static void act(PartitionContext context) {
        if (context.logs.size() == 1 || !context.leadership.leads()) {
            return;
        }
        LogSet before = context.leadership.logSet();
        LogSet newest = context.logSet();
        LogSet own = before != null && newest != null && newest.isNewerThan(before) ? null : before;
        LogSet next = newest != null && context.isAgreed() ? change(context, own, newest) : first(context, own);
        context.leadership = context.leadership.withLogSet(next);
        if (next != null && !next.equals(before)) {
            context.heartbeatNow();
        }
    }

    /** All logs get an identity; once that was read back in all of them, the set is complete. */
    private static @Nullable LogSet first(PartitionContext context, @Nullable LogSet own) {
        List<Long> identities = new ArrayList<>();
        boolean readBack = true;
        for (LogContext log : context.logs) {
            LogView view = log.log;
            if (view == null) {
                return own;
            }
            LogIdentity identity = view.identity();
            identities.add(identity.isKnown() ? identity.id() : log.freshId(view));
            readBack &= own != null
                    && identity.logSet() != null
                    && identity.logSet().isSameChange(own)
                    && own.identities().get(log.number()) == identity.id();
        }
        if (own == null) {
            return new LogSet(context.leadership.token(), 0, identities, false);
        }
        return readBack ? own.completed() : own;
    }

    /**
     * A log that this leader holds, and that does not count, gets an identity that was never used before: the old log may still
     * serve some members.
     */
    private static @Nullable LogSet change(PartitionContext context, @Nullable LogSet own, LogSet newest) {
        if (own != null && isUnderWay(context, own)) {
            return own;
        }
        for (LogContext log : context.logs) {
            LogView view = log.log;
            if (view != null && log.ownTerm.isHeld() && !log.counts) {
                long number = own == null ? 0 : own.change() + 1;
                return newest.changed(context.leadership.token(), number, log.number(), log.freshId(view));
            }
        }
        return own;
    }

    private static boolean isUnderWay(PartitionContext context, LogSet own) {
        return context.anyLog(log -> log.log != null
                && own.identities().get(log.number()) == log.freshId(log.log)
                && log.log.identity().id() != log.freshId(log.log));
    }

    /** What a heartbeat in that log says of it; null where there is no other. */
    static LogRecord.@Nullable Mark mark(LogContext log, LogView view) {
        LogRecord.Written latest =
                view.observed() == null ? null : view.observed().latest();
        return log.partition.logs.size() == 1 || latest == null
                ? null
                : new LogRecord.Mark(latest, identity(log, view));
    }

    private static LogIdentity identity(LogContext log, LogView view) {
        PartitionContext context = log.partition;
        LogSet own = context.leadership.leads() ? context.leadership.logSet() : null;
        if (own == null) {
            return view.identity();
        }
        long named = own.identities().get(log.number());
        boolean mayBegin = !own.complete() || (named == log.freshId(view) && isKnownToOthers(context, log, own));
        return new LogIdentity(mayBegin ? named : view.identity().id(), own);
    }

    /** Whether every majority without this log, and every majority with the old one, includes a log that says so. */
    private static boolean isKnownToOthers(PartitionContext context, LogContext log, LogSet own) {
        long known = context.logs.stream()
                .filter(other -> other != log
                        && other.log != null
                        && own.equals(other.log.identity().logSet()))
                .count();
        return known >= context.settings.groupConfig().majority();
    }
}
