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

    TermLeadership(String role, long token, Instant since, LongPredicate isLed) {
        this.role = role;
        this.token = token;
        this.since = since;
        this.isLed = isLed;
    }

    /** The same term, for another of the roles that share it. */
    TermLeadership of(String other) {
        return other.equals(role) ? this : new TermLeadership(other, token, since, isLed);
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

    @Override
    public String toString() {
        return "Leadership[role=" + role + ", token=" + token + ", since=" + since + "]";
    }
}
