package io.neli.nats;

import java.time.Instant;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/**
 * Skips messages whose headers the client cannot parse. They end the client's reading thread, and the connection falls
 * silent without an error. A message is skipped when a second connection falls silent before it. Belongs to one thread
 * at a time.
 */
final class Unreadable {

    private @Nullable Instant stream;
    private long silentAt;
    private long step;

    /** No message before this sequence is read any more. */
    private long floor;

    /**
     * A connection has fallen silent.
     *
     * @param created when its stream was created
     * @param next the next sequence to read
     * @param end the first sequence that was not in the stream yet when it connected
     * @return how many messages from {@code next} on to skip; more each time if the following ones are unreadable too
     */
    long silentAt(ZonedDateTime created, long next, long end) {
        boolean at = created.toInstant().equals(stream);
        boolean passedBefore = at && next == floor;
        boolean again = at && (next == floor || next == silentAt);
        floor = at ? floor : 0;
        stream = created.toInstant();
        silentAt = next;
        if (!again || next >= end) {
            return 0;
        }
        step = passedBefore ? 2 * step : 1;
        floor = Math.min(next + step, end);
        return floor - next;
    }

    /** The first sequence to read in the stream created at that time. */
    long first(ZonedDateTime created) {
        return created.toInstant().equals(stream) ? Math.max(1, floor) : 1;
    }
}
