package io.neli.nats;

import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/**
 * Messages whose headers the client cannot parse: its reading thread ends, and the connection falls silent without a
 * word why. When a second one does so before the same message, that is passed over. Belongs to one thread at a time.
 */
final class Unreadable {

    private @Nullable ZonedDateTime stream;
    private long silentAt;
    private long step;

    /** Before it nothing is read any more. */
    private long floor;

    /**
     * A connection has fallen silent.
     *
     * @param created when its stream was created
     * @param next the sequence that was to be read next
     * @param end the first sequence that was not in the stream yet when it connected
     * @return how many messages from there are passed over; more each time if the ones after them cannot be read either
     */
    long silentAt(ZonedDateTime created, long next, long end) {
        boolean at = isIn(created);
        boolean passedBefore = at && next == floor;
        boolean again = at && (next == floor || next == silentAt);
        floor = at ? floor : 0;
        stream = created;
        silentAt = next;
        if (!again || next >= end) {
            return 0;
        }
        step = passedBefore ? 2 * step : 1;
        floor = Math.min(next + step, end);
        return floor - next;
    }

    private boolean isIn(ZonedDateTime created) {
        return stream != null && stream.toInstant().equals(created.toInstant());
    }

    /** The first sequence that may be read in the stream that was created then. */
    long first(ZonedDateTime created) {
        return isIn(created) ? Math.max(1, floor) : 1;
    }
}
