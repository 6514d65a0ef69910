package io.neli.internal.election.simulation;

/** How a member reaches one log. */
final class Reach {
    /** Where it reads and where its records arrive; a log that was replaced may serve some members for a while. */
    SimulatedLog reads;

    SimulatedLog writes;

    boolean open;
    long openSince;
    int epoch;
    int start;
    int position;
    int visible;
    /** The end that the log was said to have when it was last opened, or is about to be. */
    int end;

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
    /** In which epoch it held the log when it began to lead by it. */
    int termEpoch;

    /** The largest token in any record that it has read, and before its latest claim; the largest in its own. */
    long largestToken;

    long tokenBeforeClaim;
    long ownTokenRead;
    long claimSentAt;

    Reach(SimulatedLog log) {
        this.reads = log;
        this.writes = log;
    }

    /** It is where the other is. */
    void copy(Reach of) {
        reads = of.reads;
        writes = of.writes;
        open = of.open;
        openSince = of.openSince;
        epoch = of.epoch;
        start = of.start;
        position = of.position;
        visible = of.visible;
        end = of.end;
        lastArrival = of.lastArrival;
        termEpoch = of.termEpoch;
        largestToken = of.largestToken;
        tokenBeforeClaim = of.tokenBeforeClaim;
        ownTokenRead = of.ownTokenRead;
        claimSentAt = of.claimSentAt;
    }

    /** It reaches the log that is there now. */
    void reachesNewest() {
        reads = reads.newest();
        writes = writes.newest();
    }

    boolean canRead() {
        return open && !cannotRead && !rebuilding;
    }
}
