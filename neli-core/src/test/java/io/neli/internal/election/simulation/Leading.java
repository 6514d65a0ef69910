package io.neli.internal.election.simulation;

import java.util.TreeSet;

/** The terms of one partition that a member has led, and what it still does for them. */
final class Leading {

    /** Since when it leads the latest one, and which that is. */
    long since;

    long token;
    /** How many there were. */
    int terms;
    /** Those whose work has not ended. */
    final TreeSet<Long> working = new TreeSet<>();

    /** It is where the other is. */
    void copy(Leading of) {
        since = of.since;
        token = of.token;
        terms = of.terms;
        working.addAll(of.working);
    }
}
