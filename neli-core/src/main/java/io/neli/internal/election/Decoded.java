package io.neli.internal.election;

import java.time.Duration;

/** A decoded record of the log. */
public sealed interface Decoded permits LogRecord, Decoded.Unreadable, Decoded.Newer {

    /**
     * A record that is not this group's, or cannot be read.
     *
     * @param copied whether it was written to another log
     */
    record Unreadable(boolean copied) implements Decoded {}

    /**
     * A record of this group, written by a newer version. It may grant a lease.
     *
     * @param longestLease the longest lease that the record names; zero if it names none
     * @param token the token that it carries; zero if it carries none
     */
    record Newer(Duration longestLease, long token) implements Decoded {}
}
