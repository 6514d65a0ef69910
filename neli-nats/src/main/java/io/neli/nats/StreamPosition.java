package io.neli.nats;

import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/** How far the stream has been read: a connection continues where the one before it ended. Belongs to one thread at a time. */
final class StreamPosition {

    private @Nullable ZonedDateTime stream;
    private long next;
    private @Nullable ZonedDateTime lastTime;

    /** Reading begins in the stream that was created then. */
    void begin(ZonedDateTime created, long start) {
        stream = created;
        next = start;
        lastTime = null;
    }

    /** Reading does not continue. */
    void lost() {
        stream = null;
    }

    /** Whether reading may continue in the stream that was created then. */
    boolean isIn(ZonedDateTime created) {
        return stream != null && stream.toInstant().equals(created.toInstant());
    }

    /** The next sequence to read. */
    long next() {
        return next;
    }

    /** When the message before {@link #next} was stored; null if none has been read since reading began. */
    @Nullable
    ZonedDateTime lastTime() {
        return lastTime;
    }

    /** All up to that message was given to the election. */
    void read(long sequence, ZonedDateTime time) {
        if (sequence >= next) {
            next = sequence + 1;
            lastTime = time;
        }
    }
}
