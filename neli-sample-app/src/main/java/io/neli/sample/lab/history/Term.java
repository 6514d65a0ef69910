package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * One span of leadership.
 *
 * @param to null while it lasts; a frozen leader's term lasts until it turns out that it is over, and then it was over when
 *     it froze
 * @param end null while it lasts
 */
public record Term(String role, String instance, long token, long from, @Nullable Long to, @Nullable End end) {

    /** How a term ends. */
    public enum End {
        KILLED,
        FENCED,
        REVOKED,
        /** Another leads, and this leader has not said anything. */
        SUPERSEDED
    }

    static Term begun(String role, String instance, long token, long from) {
        return new Term(role, instance, token, from, null, null);
    }

    Term ended(long at, End how) {
        return new Term(role, instance, token, from, Math.max(from, at), how);
    }

    boolean lasts() {
        return to == null;
    }
}
