package io.neli.internal.member;

import java.time.Instant;

import io.neli.Leadership;
import io.neli.internal.shell.Terms;

/** One term of this member, for one of the roles that share it. */
record TermLeadership(Terms terms, int partition, String role, long token, Instant since) implements Leadership {

    /** The same term, for another role. */
    TermLeadership of(String other) {
        return other.equals(role) ? this : new TermLeadership(terms, partition, other, token, since);
    }

    @Override
    public boolean isValid() {
        return terms.leads(partition, token);
    }

    /** Whether work of this term may continue now, even during a handover. */
    boolean lasts() {
        return terms.lasts(partition, token);
    }

    /** Omits what only the member knows. */
    @Override
    public String toString() {
        return "Leadership[role=" + role + ", token=" + token + ", since=" + since + "]";
    }
}
