package io.neli.sample.lab.web;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.stereotype.Component;

/** The newest of each kind of event. Who is slow misses some, and always gets the newest. May be used by any thread. */
@Component
public final class Updates {

    /** What an event replaces as a whole. */
    public enum Kind {
        LAB,
        HISTORY,
        LEDGER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Kind, Versioned> newest = new EnumMap<>(Kind.class);
    private long version;
    private boolean closed;

    public synchronized void publish(Kind kind, String json) {
        newest.put(kind, new Versioned(++version, json));
        notifyAll();
    }

    /** Ends all waits, now and later. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits until there is something newer than that version, or the time is over. */
    synchronized Batch await(long seen, Duration atMost) throws InterruptedException {
        long begin = System.nanoTime();
        long left = atMost.toMillis();
        while (version <= seen && !closed && left > 0) {
            wait(left);
            left = atMost.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        }
        Map<Kind, String> changed = new EnumMap<>(Kind.class);
        newest.forEach((kind, event) -> {
            if (event.version > seen) {
                changed.put(kind, event.json);
            }
        });
        return new Batch(version, changed, closed);
    }

    /**
     * What is new.
     *
     * @param version to be handed in the next time
     * @param changed JSON by kind
     * @param last whether nothing will follow
     */
    record Batch(long version, Map<Kind, String> changed, boolean last) {}

    private record Versioned(long version, String json) {}
}
