package io.neli.internal.shell;

import java.time.Duration;

/** The pause before the next attempt. It doubles with each failure in a row, up to a limit. Belongs to one thread. */
public final class Backoff {

    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    public Backoff(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    /** Counts the next failure as the first one. */
    public void reset() {
        next = shortest;
    }

    /** Returns how long to wait now, and doubles the next pause. */
    public Duration next() {
        Duration now = next;
        Duration twice = now.multipliedBy(2);
        next = twice.compareTo(longest) < 0 ? twice : longest;
        return now;
    }
}
