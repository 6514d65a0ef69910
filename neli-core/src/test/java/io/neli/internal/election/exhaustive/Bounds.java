package io.neli.internal.election.exhaustive;

/**
 * The bounds of a small world. The search tries everything within them.
 *
 * @param opening the state in which the search begins
 * @param members how many
 * @param ticks how many ticks follow; a lease is {@link Clocks#LEASE} ticks
 * @param records how many records reach each log from then on; all others are lost
 * @param faults how often a member crashes and starts again, or loses a log and opens it again
 * @param assignments how often the group sends a member an assignment
 * @param requests how often the application pauses, resigns or closes a member; resuming is not counted
 * @param batches whether several records may be read in one step
 * @param reordered whether records of one member may overtake each other; otherwise, overtaken records are lost
 * @param logs how many logs the partition has
 * @param rate of the first member's clocks; all others are exact
 */
record Bounds(
        Opening opening,
        int members,
        int ticks,
        int records,
        int faults,
        int assignments,
        int requests,
        boolean batches,
        boolean reordered,
        int logs,
        double rate) {

    enum Opening {
        /** Empty logs that all members have opened. */
        EMPTY,
        /** The first member leads, and all have read everything. */
        LED,
        /** As LED, but three quarters of a lease ago: the leader has not been called since. */
        SILENT,
        /**
         * As LED, but a lease ago. Since then, the last member has bid in all logs, and all have read that. Its claims
         * and the leader's answers are under way. By its slow clock, the leader still leads.
         */
        CONTESTED,
        /**
         * As CONTESTED, but the first log was created again as soon as the first member led. Since then, the last
         * member has read the new log, the others the old one.
         */
        RECREATED,
        /**
         * As RECREATED, but the last member has taken all logs that it reads. It leads, and its set of logs is in the
         * second log and under way to the third. The first member holds the old first log again, has read nothing new
         * of the second log, and has bid in the third.
         */
        CHANGING,
        /** As LED, but the last member has just started and has not opened the logs. */
        NEWCOMER
    }

    /**
     * Here, a newcomer starts at the end of the log and, unlike a real one, reads no heartbeat: it knows only the wall
     * clock.
     */
    boolean isBlindToTokens() {
        return opening == Opening.NEWCOMER;
    }

    /** Whether the first log exists twice: some members read the old one, others the new one. */
    boolean isRecreated() {
        return opening == Opening.RECREATED || opening == Opening.CHANGING;
    }

    /** The number of logs including one that was created again, which comes last. */
    int instances() {
        return logs + (isRecreated() ? 1 : 0);
    }

    /** The partition's log of which this is an instance. */
    int logOf(int instance) {
        return instance % logs;
    }

    Bounds(Opening opening, int members, int ticks, int records) {
        this(opening, members, ticks, records, 0, 0, 0, false, false, 1, Clocks.SLOW);
    }

    Bounds withFaults(int most) {
        return new Bounds(
                opening, members, ticks, records, most, assignments, requests, batches, reordered, logs, rate);
    }

    Bounds withAssignments(int most) {
        return new Bounds(opening, members, ticks, records, faults, most, requests, batches, reordered, logs, rate);
    }

    Bounds withRequests(int most) {
        return new Bounds(opening, members, ticks, records, faults, assignments, most, batches, reordered, logs, rate);
    }

    Bounds withBatches() {
        return new Bounds(opening, members, ticks, records, faults, assignments, requests, true, reordered, logs, rate);
    }

    Bounds withReordering() {
        return new Bounds(opening, members, ticks, records, faults, assignments, requests, batches, true, logs, rate);
    }

    Bounds withLogs(int count) {
        return new Bounds(
                opening, members, ticks, records, faults, assignments, requests, batches, reordered, count, rate);
    }

    Bounds withRate(double ofFirst) {
        return new Bounds(
                opening, members, ticks, records, faults, assignments, requests, batches, reordered, logs, ofFirst);
    }
}
