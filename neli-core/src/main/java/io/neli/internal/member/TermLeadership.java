package io.neli.internal.member;

import java.time.Instant;
import java.util.function.LongPredicate;

import io.neli.Leadership;

/** A term, which asks the engine whether it still lasts. */
final class TermLeadership implements Leadership {

    private final String role;
    private final long token;
    private final Instant since;
    private final LongPredicate isLed;
    private final LongPredicate lasts;

    /**
     * A term of this member.
     *
     * @param isLed whether the term with that token is led now
     * @param lasts whether its work may go on now, also in a handover
     */
    TermLeadership(String role, long token, Instant since, LongPredicate isLed, LongPredicate lasts) {
        this.role = role;
        this.token = token;
        this.since = since;
        this.isLed = isLed;
        this.lasts = lasts;
    }

    /** The same term, for another of the roles that share it. */
    TermLeadership of(String other) {
        return other.equals(role) ? this : new TermLeadership(other, token, since, isLed, lasts);
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public boolean isValid() {
        return isLed.test(token);
    }

    boolean lasts() {
        return lasts.test(token);
    }

    @Override
    public String toString() {
        return "Leadership[role=" + role + ", token=" + token + ", since=" + since + "]";
    }
}
