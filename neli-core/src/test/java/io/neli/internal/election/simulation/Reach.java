package io.neli.internal.election.simulation;

/** How a member reaches one log. */
final class Reach {
    /** The log that it reads, and the one to which it writes; a replaced log may serve some members for a while. */
    SimulatedLog reads;

    SimulatedLog writes;

    boolean open;
    long openSince;
    int epoch;
    int start;
    int position;
    int visible;
    /** The end that the log reported when it was last opened, or is about to be. */
    int end;

    boolean cannotRead;
    /** Whether its client is being rebuilt, so that it reads nothing. */
    boolean rebuilding;

    boolean cannotWrite;
    /** Whether its claims never arrive, although everything else does. */
    boolean losesClaims;
    /** Whether the next bid never arrives. */
    boolean losesNextBid;
    /** Whether nothing that it writes arrives until somebody bids. */
    boolean muteUntilBid;

    /** When the last lease that a newer version granted may end, as far as it has read. */
    long newerUntil;

    boolean losing;
    long lastArrival;
    /** The epoch of the log when the member began to lead with it. */
    int termEpoch;

    /** The largest token in all records read, in those before its latest claim, and in its own. */
    long largestToken;

    long tokenBeforeClaim;
    long ownTokenRead;
    long claimSentAt;

    Reach(SimulatedLog log) {
        this.reads = log;
        this.writes = log;
    }

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

    void reachesNewest() {
        reads = reads.newest();
        writes = writes.newest();
    }

    boolean canRead() {
        return open && !cannotRead && !rebuilding;
    }
}
