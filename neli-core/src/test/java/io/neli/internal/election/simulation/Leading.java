package io.neli.internal.election.simulation;

import java.util.TreeSet;

/** The terms of one partition that a member has led, and its work for them. */
final class Leading {

    /** When the latest term began, and its token. */
    long since;

    long token;
    /** The number of terms. */
    int terms;
    /** The tokens of terms whose work has not ended. */
    final TreeSet<Long> working = new TreeSet<>();

    void copy(Leading of) {
        since = of.since;
        token = of.token;
        terms = of.terms;
        working.addAll(of.working);
    }
}
