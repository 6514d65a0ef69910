package io.neli.nats;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;

import io.neli.internal.election.MonotonicTime;
import org.jspecify.annotations.Nullable;

/** How far the stream has been read, so that the next connection continues there. Used by one thread at a time. */
final class StreamPosition {

    private @Nullable Instant stream;
    private long next;
    private @Nullable ZonedDateTime lastTime;
    private MonotonicTime readAt = MonotonicTime.PAST;

    /** Starts reading the stream created at that time. */
    void begin(ZonedDateTime created, long start) {
        stream = created.toInstant();
        next = start;
        lastTime = null;
    }

    /** Forgets the position, so that reading does not continue there. */
    void lost() {
        stream = null;
    }

    /** Whether reading may continue in the stream created at that time. */
    boolean isIn(ZonedDateTime created) {
        return created.toInstant().equals(stream);
    }

    /**
     * Whether messages that were read may still reappear in a stream that ends before them. A server that has just
     * become the stream's leader may not have applied yet what its predecessor sent. If they are still missing after a
     * lease, they count as lost: any term they belong to is over by then.
     */
    boolean mayComeBack(long last, MonotonicTime now, Duration lease) {
        return lastTime != null && last < next - 1 && !now.hasReached(readAt.plus(lease));
    }

    long next() {
        return next;
    }

    /** When the message before {@link #next} was stored; null if none has been read since reading began. */
    @Nullable
    ZonedDateTime lastTime() {
        return lastTime;
    }

    /** All messages up to this one, which was stored at {@code time}, have now been given to the election. */
    void read(long sequence, ZonedDateTime time, MonotonicTime now) {
        if (sequence >= next) {
            next = sequence + 1;
            lastTime = time;
            readAt = now;
        }
    }
}
