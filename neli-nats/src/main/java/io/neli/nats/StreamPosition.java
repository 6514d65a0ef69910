package io.neli.nats;

import java.time.Duration;
import java.time.ZonedDateTime;

import io.neli.internal.election.MonotonicTime;
import org.jspecify.annotations.Nullable;

/**
 * How far the stream has been read: a connection continues where the one before it ended. Belongs to one thread at a
 * time.
 */
final class StreamPosition {

    private @Nullable ZonedDateTime stream;
    private long next;
    private @Nullable ZonedDateTime lastTime;
    private MonotonicTime readAt = MonotonicTime.PAST;

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

    /**
     * Whether what was read may still come into a stream that ends before it: a server that has just begun to lead the
     * stream may not have applied yet what the one before it has sent. One that has lost its end never does, so that is
     * believed after a lease, when a term that was read of is over in any case.
     */
    boolean mayComeBack(long last, MonotonicTime now, Duration lease) {
        return lastTime != null && last < next - 1 && !now.hasReached(readAt.plus(lease));
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

    /** All up to that message, which was stored at that time, has been given to the election now. */
    void read(long sequence, ZonedDateTime time, MonotonicTime now) {
        if (sequence >= next) {
            next = sequence + 1;
            lastTime = time;
            readAt = now;
        }
    }
}
