package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A term of the past, or the present one, as the log of a role has it; for people. The times are those at which the log
 * stored the records that say so.
 *
 * @param token the term's fencing token
 * @param member the name of the member that led
 * @param metadata what that member was configured to {@linkplain NeliBuilder#metadata tell} of itself
 * @param acquired when it began to lead; empty if that was before what was read
 * @param ended when it resigned, or else when the last record was stored that says that it leads: it may have led for
 *     up to a lease longer. Empty while it leads
 * @param end how it ended; empty while it leads
 * @param successor the name of the member that led next; empty while nobody has
 * @param unledBefore for how long nobody led before it, at most; empty if that is not known
 */
public record LeaderTerm(
        long token,
        String member,
        Map<String, String> metadata,
        Optional<Instant> acquired,
        Optional<Instant> ended,
        Optional<End> end,
        Optional<String> successor,
        Optional<Duration> unledBefore) {

    public LeaderTerm {
        metadata = Map.copyOf(metadata);
    }

    /** How a term ended. */
    public enum End {
        /** The member resigned when its work had ended: it was closed or paused, resigned, or had to hand over. */
        HANDED_OVER,
        /** The member fell silent for longer than its lease, and resigned when it was back and its work had ended. */
        RESIGNED_AFTER_FENCE,
        /** The member fell silent: it was killed, paused for long, or cut off from the log. It has not resigned. */
        SILENT
    }
}
