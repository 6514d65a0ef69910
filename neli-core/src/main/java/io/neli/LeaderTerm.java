package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A past or present term of a role, as its log records it, for display. Each time is when the log stored the record in
 * question.
 *
 * @param token the term's fencing token
 * @param member the name of the member that led
 * @param metadata what that member {@linkplain NeliBuilder#metadata told} the others about itself
 * @param acquired when it began to lead; empty if that was before the first record that was read
 * @param ended when it handed over, or else when the log stored its last heartbeat as leader before it fell silent: it
 *     may have led for up to a lease longer. Empty while it leads
 * @param end how the term ended; empty while it leads
 * @param successor the name of the member that led next; empty if nobody has
 * @param unledBefore how long nobody led before this term, at most; empty if unknown
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
        /**
         * The member resigned after its work had ended: it was closed or paused, resigned, or had to hand over. Also if
         * it was fenced, but resigned within a lease of its last heartbeat: its record does not say why it resigned.
         */
        HANDED_OVER,
        /** The member fell silent for longer than its lease, and resigned when it was back and its work had ended. */
        RESIGNED_AFTER_FENCE,
        /** The member fell silent: it was killed, paused for long, or cut off from the log. It has not resigned. */
        SILENT
    }
}
