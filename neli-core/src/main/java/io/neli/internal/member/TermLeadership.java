package io.neli.internal.member;

import java.time.Instant;

import io.neli.Leadership;
import io.neli.internal.shell.Terms;

/** A term of this member. */
record TermLeadership(Terms terms, int partition, String role, long token, Instant since) implements Leadership {

    /** The same term, for another of the roles that share it. */
    TermLeadership of(String other) {
        return other.equals(role) ? this : new TermLeadership(terms, partition, other, token, since);
    }

    @Override
    public boolean isValid() {
        return terms.leads(partition, token);
    }

    /** Whether its work may go on now, also in a handover. */
    boolean lasts() {
        return terms.lasts(partition, token);
    }

    /** Without what only the member knows. */
    @Override
    public String toString() {
        return "Leadership[role=" + role + ", token=" + token + ", since=" + since + "]";
    }
}
