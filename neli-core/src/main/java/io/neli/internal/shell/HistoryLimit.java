package io.neli.internal.shell;

import java.time.Duration;

/** Limits how many records of the past are read at once, and for how long. */
public final class HistoryLimit {

    /** More than five days of one leader's heartbeats at the default interval. */
    public static final int MOST_RECORDS = 1_000_000;

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final Deadline deadline;

    /** Starts the time limit. */
    public HistoryLimit(MemberClock clock) {
        this.deadline = Deadline.after(LONGEST, clock);
    }

    /**
     * Called before this many records are read.
     *
     * @throws IllegalArgumentException if there are too many
     */
    public void check(long records) {
        if (records > MOST_RECORDS) {
            throw new IllegalArgumentException("use a shorter time, because the log has " + records
                    + " records in that time and at most " + MOST_RECORDS + " are read");
        }
    }

    /** The time left; zero if it is over. */
    public Duration left() {
        return deadline.left();
    }

    /** The message for a log that was not read in time. */
    public static String exceeded() {
        return "it was not read within " + LONGEST.toSeconds() + " s";
    }
}
