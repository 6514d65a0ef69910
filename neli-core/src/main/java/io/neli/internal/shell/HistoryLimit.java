package io.neli.internal.shell;

import java.time.Duration;

/** How much of the past is read at once. */
public final class HistoryLimit {

    /** Some five days of one leader's heartbeats at the default interval. */
    public static final int MOST_RECORDS = 1_000_000;

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final Deadline deadline;

    /** The time begins. */
    public HistoryLimit(MemberClock clock) {
        this.deadline = Deadline.after(LONGEST, clock);
    }

    /**
     * Before so many records are read.
     *
     * @throws IllegalArgumentException if these are too many
     */
    public void check(long records) {
        if (records > MOST_RECORDS) {
            throw new IllegalArgumentException("use a shorter time, because the log has " + records
                    + " records of it and at most " + MOST_RECORDS + " are read");
        }
    }

    /** What is left of the time; zero if it is over. */
    public Duration left() {
        return deadline.left();
    }

    /** For a log that was not read in time. */
    public static String exceeded() {
        return "it was not read within " + LONGEST.toSeconds() + " s";
    }
}
