package io.neli.sample.lab.history;

import java.util.List;

import io.neli.sample.instance.report.Report;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the last ten minutes, each list in the order of time. Immutable.
 *
 * @param measured all changes since the start whose duration measures the election
 * @param writes the latest, newest first
 * @param runs the latest runs of the scheduled job, and how often something went wrong since the start
 */
public record HistoryView(
        List<Term> terms,
        List<Gap> gaps,
        List<Change> changes,
        List<Mark> marks,
        List<Span> spans,
        List<Written> writes,
        RunsView runs,
        List<Change> measured) {

    /**
     * One term of a leader.
     *
     * @param to null while it lasts; the term of a frozen leader lasts until it is known to be over, and then it ends
     *     at the freeze
     * @param end null while it lasts
     */
    public record Term(String instance, long token, long from, @Nullable Long to, @Nullable End end) {

        Term ended(long at, End how) {
            return new Term(instance, token, from, Math.max(from, at), how);
        }

        boolean lasts() {
            return to == null;
        }
    }

    public enum End {
        KILLED,
        FENCED,
        REVOKED,
        /** Another instance leads, although this leader has reported nothing. */
        SUPERSEDED
    }

    /**
     * A time without a leader.
     *
     * @param to null while it lasts
     */
    public record Gap(long from, @Nullable Long to) {}

    /**
     * A change of leader.
     *
     * @param at when the next one led
     * @param token of the next one
     * @param planned whether the former leader handed over
     * @param millis how long it took from the fault or the start of the gap; if no instance could lead at first,
     *     because too few brokers worked or none was eligible, only from when one could
     */
    public record Change(long at, String from, String to, long token, Cause cause, boolean planned, long millis) {}

    /**
     * A moment on the timeline.
     *
     * @param process the name of an instance or a broker
     */
    public record Mark(long at, String process, MarkKind kind, String text) {}

    /** An instance has written an entry to the ledger, or tried to. */
    public record Written(long at, String instance, Report.Write entry) {}

    /**
     * A time in which an instance was frozen, cut off or down, or a broker was frozen or down.
     *
     * @param process the name of either
     * @param to null while it lasts
     */
    public record Span(String process, Condition condition, long from, @Nullable Long to) {}

    public enum Condition {
        FROZEN,
        CUT,
        DOWN
    }
}
