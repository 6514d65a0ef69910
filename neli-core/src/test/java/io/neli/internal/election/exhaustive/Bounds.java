package io.neli.internal.election.exhaustive;

/**
 * What a small world may hold; everything within is tried.
 *
 * @param opening where the search begins
 * @param members how many
 * @param ticks how far the clock goes from there; a lease is {@link Clocks#LEASE} ticks
 * @param records how many records reach each log from there; all that is sent beyond is lost
 * @param faults how often a member crashes and starts again, or loses a log and opens it again
 * @param assignments how often the group notifies one member of an assignment
 * @param requests how often the application pauses, resigns or closes a member; to resume is free
 * @param batches whether several records may be read in one step
 * @param reordered whether records of one member may overtake each other; else one that is overtaken is lost
 * @param logs on how many the partition lies
 * @param rate of the first member's clocks; those of the others go right
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
         * As LED, but a lease ago. Since then the last member has bid in all logs, and all have read that: its claims
         * and the leader's answers are under way. By its slow clock, the leader still leads.
         */
        CONTESTED,
        /**
         * As CONTESTED, but the first log was created again as soon as the first member led. The last member has read
         * the new one since, the others the old one.
         */
        RECREATED,
        /**
         * As RECREATED, but the last member has taken all logs that it reads. It leads, and its set of logs is in the
         * second log and under way to the third. The first member holds the old first log again, has read nothing of
         * the second one since, and has bid in the third.
         */
        CHANGING,
        /** As LED, but the last member has just started and has not opened the logs. */
        NEWCOMER
    }

    /**
     * A newcomer here begins at the end, and reads no heartbeat as a real one does: it has the wall clock alone to go
     * by.
     */
    boolean isBlindToTokens() {
        return opening == Opening.NEWCOMER;
    }

    /** Whether the first log exists twice: some members read the old one, others the new one. */
    boolean isRecreated() {
        return opening == Opening.RECREATED || opening == Opening.CHANGING;
    }

    /** How many logs there are, with one that was created again: the last one then is the new first one. */
    int instances() {
        return logs + (isRecreated() ? 1 : 0);
    }

    /** Which of the partition's logs it is. */
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

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("%s, %d members, %d ticks, %d records".formatted(opening, members, ticks, records));
        note(text, logs == 1 ? 0 : logs, "logs");
        note(text, faults, "faults");
        note(text, assignments, "assignments");
        note(text, requests, "requests");
        return text.append(batches ? ", batches" : "")
                .append(reordered ? ", reordered" : "")
                .append(", first clock at ")
                .append(rate)
                .toString();
    }

    private static void note(StringBuilder text, int most, String what) {
        if (most > 0) {
            text.append(", ").append(most).append(' ').append(what);
        }
    }
}
