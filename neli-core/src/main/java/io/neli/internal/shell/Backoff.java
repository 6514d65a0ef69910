package io.neli.internal.shell;

import java.time.Duration;

/**
 * How long to wait before a client is created again: twice as long after each failure in a row. Belongs to one thread.
 */
public final class Backoff {

    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    public Backoff(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    /** The next failure is the first one. */
    public void reset() {
        next = shortest;
    }

    /** How long to wait now. */
    public Duration next() {
        Duration now = next;
        Duration twice = now.multipliedBy(2);
        next = twice.compareTo(longest) < 0 ? twice : longest;
        return now;
    }
}
