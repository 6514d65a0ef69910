package io.neli.internal.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** How far each log has been read, so that the next connection continues there. A log with a position is open. */
final class LogPositions {

    /** How many records before a log's end reading starts. With a leader, they include some of its heartbeats. */
    private static final long LOOKBACK = 200;

    /** The same, if {@link #LOOKBACK} does not suffice: further back than any lease. */
    private static final long LONGEST_LOOKBACK = 10_000;

    private final long longestLookback;
    private final Map<LogId, OffsetAndMetadata> next = new HashMap<>();
    private final Map<LogId, Long> ends = new HashMap<>();
    private final Set<LogId> extended = new HashSet<>();
    private final Map<LogId, Skip> skips = new HashMap<>();
    private final Map<Integer, Uuid> topicIds = new HashMap<>();

    /**
     * Unreadable records to skip.
     *
     * @param length how many; guessed, because the log does not tell where the next readable one begins
     * @param end the first offset after them
     */
    private record Skip(long length, long end) {}

    /** @param isOneOfSeveral whether a reader must find the record that identifies the log, however far back */
    LogPositions(boolean isOneOfSeveral) {
        this.longestLookback = isOneOfSeveral ? Long.MAX_VALUE : LONGEST_LOOKBACK;
    }

    /** Whether the positions in the logs of this number belong to that topic. */
    boolean areOf(int number, Uuid topic) {
        return topic.equals(topicIds.get(number));
    }

    /** Forgets the logs of this number: they are in another topic now. */
    void reset(int number, Uuid topic) {
        topicIds.put(number, topic);
        next.keySet().removeIf(log -> log.log() == number);
        extended.removeIf(log -> log.log() == number);
        skips.keySet().removeIf(log -> log.log() == number);
    }

    /**
     * The next offset to read of a log, with the leader epoch of the record before it; null while the log is not open.
     */
    @Nullable
    OffsetAndMetadata next(LogId log) {
        return next.get(log);
    }

    boolean isOpen(LogId log) {
        return next.containsKey(log);
    }

    /** The next offset to read of a log that is open. */
    long offset(LogId log) {
        return Objects.requireNonNull(next.get(log)).offset();
    }

    /** The end that a log had when it was opened. */
    long end(LogId log) {
        return ends.getOrDefault(log, 0L);
    }

    /** Opens a log with these bounds, and chooses where reading starts. */
    Input.LogOpened open(LogId log, long begin, long end) {
        Skip skip = skips.get(log);
        long first = skip == null ? begin : Math.max(begin, Math.min(skip.end(), end));
        boolean whole = extended.remove(log);
        long start = Math.max(first, end - (whole ? longestLookback : LOOKBACK));
        next.put(log, new OffsetAndMetadata(start));
        ends.put(log, end);
        return new Input.LogOpened(start, end, !whole && start > first);
    }

    /** Closes a log. When it is opened next, it is read from as far back as records may be needed. */
    void extend(LogId log) {
        next.remove(log);
        extended.add(log);
    }

    /** The logs have been read up to these positions. A log that {@link #extend} has just closed stays closed. */
    void read(Map<LogId, OffsetAndMetadata> positions) {
        next.putAll(positions);
        next.keySet().removeAll(extended);
    }

    void lost(Collection<LogId> logs) {
        logs.forEach(next::remove);
    }

    /** Closes a log whose record at that offset is unreadable. It is never read from there again. */
    void skip(LogId log, long offset) {
        Skip last = skips.get(log);
        long length = last != null && last.end() == offset ? 2 * last.length() : 1;
        skips.put(log, new Skip(length, offset + length));
        next.remove(log);
    }
}
