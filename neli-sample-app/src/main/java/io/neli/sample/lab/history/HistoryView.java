package io.neli.sample.lab.history;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is known about the last ten minutes, each list in the order of time; immutable.
 *
 * @param planned in milliseconds, how long each handover took, however long ago
 * @param unplanned the same after faults
 * @param writes the latest, newest first
 * @param runs of the scheduled job, the latest, and how often something went wrong since the start
 */
public record HistoryView(
        List<Term> terms,
        List<Gap> gaps,
        List<Change> changes,
        List<Mark> marks,
        List<Span> spans,
        List<Observation.Written> writes,
        RunsView runs,
        List<Long> planned,
        List<Long> unplanned) {

    /**
     * One term of a leader.
     *
     * @param to null while it lasts; the term of a frozen leader lasts until it is known to be over, and then it ended
     *     with the freeze
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

    /** How a term ends. */
    public enum End {
        KILLED,
        FENCED,
        REVOKED,
        /** Another instance leads, and this leader has not reported anything. */
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
     * @param planned whether the former one handed over
     * @param millis how long it took: from the fault, or from the start of the gap; if no instance could lead for a
     *     part of that time, because too few brokers worked or none was eligible, from the end of that part
     */
    public record Change(long at, String from, String to, long token, Cause cause, boolean planned, long millis) {}

    /**
     * A moment on the timeline.
     *
     * @param process the name of an instance or a broker
     */
    public record Mark(long at, String process, MarkKind kind, String text) {}

    /**
     * A time in which an instance was frozen, cut off or down, or a broker was frozen or down.
     *
     * @param process the name of either
     * @param to null while it lasts
     */
    public record Span(String process, Condition condition, long from, @Nullable Long to) {}

    /** What a {@link Span} shows. */
    public enum Condition {
        FROZEN,
        CUT,
        DOWN
    }
}
