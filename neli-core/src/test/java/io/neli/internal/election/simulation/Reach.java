package io.neli.internal.election.simulation;

import java.util.TreeSet;

/** How a member reaches one partition, and what it still does for the terms that it led there. */
final class Reach {
    boolean open;
    long openSince;
    int epoch;
    int start;
    int position;
    int visible;
    boolean cannotRead;
    /** Whether its client is being rebuilt, so that it reads nothing. */
    boolean rebuilding;

    boolean cannotWrite;
    /** Whether its claims never arrive, though all else does. */
    boolean losesClaims;
    /** Whether the next bid never arrives. */
    boolean losesNextBid;
    /** Whether nothing that it writes arrives, before somebody bids. */
    boolean muteUntilBid;

    /** Until when a lease may last that a newer version has granted, as far as it has read. */
    long newerUntil;

    boolean losing;
    long lastArrival;
    /** The latest term that it led there: since when, in which epoch it was acquired, and which. */
    long leadsSince;

    int termEpoch;
    /** How many terms it has led there. */
    int terms;

    long token;
    /** The largest token in any record that it has read, and before its latest claim; the largest in its own. */
    long largestToken;

    long tokenBeforeClaim;
    long ownTokenRead;
    long claimSentAt;
    /** The terms whose work has not ended. */
    final TreeSet<Long> working = new TreeSet<>();

    boolean canRead() {
        return open && !cannotRead && !rebuilding;
    }
}
