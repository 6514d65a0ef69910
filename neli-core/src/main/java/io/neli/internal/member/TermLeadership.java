package io.neli.internal.member;

import java.time.Instant;

import io.neli.Leadership;

/** A term of this member. */
final class TermLeadership implements Leadership {

    private final Terms terms;
    private final int partition;
    private final String role;
    private final long token;
    private final Instant since;

    TermLeadership(Terms terms, int partition, String role, long token, Instant since) {
        this.terms = terms;
        this.partition = partition;
        this.role = role;
        this.token = token;
        this.since = since;
    }

    /** The same term, for another of the roles that share it. */
    TermLeadership of(String other) {
        return other.equals(role) ? this : new TermLeadership(terms, partition, other, token, since);
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
        return terms.leads(partition, token);
    }

    /** Whether its work may go on now, also in a handover. */
    boolean lasts() {
        return terms.lasts(partition, token);
    }

    @Override
    public String toString() {
        return "Leadership[role=" + role + ", token=" + token + ", since=" + since + "]";
    }
}
