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

/**
 * How far the logs have been read: a connection continues where the one before it ended. A log with a position is open.
 */
final class LogPositions {

    /** How far before its end a log is read: where the group has a leader, some of its heartbeats are there. */
    private static final long LOOKBACK = 200;

    /** How far if that does not suffice: further back than any lease. */
    private static final long LONGEST_LOOKBACK = 10_000;

    private final long longestLookback;
    private final Map<LogId, OffsetAndMetadata> next = new HashMap<>();
    private final Map<LogId, Long> ends = new HashMap<>();
    private final Set<LogId> extended = new HashSet<>();
    private final Map<LogId, Skip> skips = new HashMap<>();
    private final Map<Integer, Uuid> topicIds = new HashMap<>();

    /**
     * Records that cannot be read.
     *
     * @param length how many are skipped, because the log does not say where the next one begins that can be read
     * @param end the first offset after them
     */
    private record Skip(long length, long end) {}

    /** @param isOneOfSeveral whether a reader must find the record that tells which log it is, however far back */
    LogPositions(boolean isOneOfSeveral) {
        this.longestLookback = isOneOfSeveral ? Long.MAX_VALUE : LONGEST_LOOKBACK;
    }

    /** Whether the positions in the logs of this number are of that topic. */
    boolean areOf(int number, Uuid topic) {
        return topic.equals(topicIds.get(number));
    }

    /** The logs of this number begin with another topic. */
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

    /** Chooses where to read a log from that has these bounds. */
    Input.LogOpened open(LogId log, long begin, long end) {
        Skip skip = skips.get(log);
        long first = skip == null ? begin : Math.max(begin, Math.min(skip.end(), end));
        boolean whole = extended.remove(log);
        long start = Math.max(first, end - (whole ? longestLookback : LOOKBACK));
        next.put(log, new OffsetAndMetadata(start));
        ends.put(log, end);
        return new Input.LogOpened(start, end, !whole && start > first);
    }

    /** The next time this log is opened, it is read from as far back as records may be wanted. */
    void extend(LogId log) {
        next.remove(log);
        extended.add(log);
    }

    /** Logs have been read so far; one that is to be opened again because of what was read stays closed. */
    void read(Map<LogId, OffsetAndMetadata> positions) {
        next.putAll(positions);
        next.keySet().removeAll(extended);
    }

    void lost(Collection<LogId> logs) {
        logs.forEach(next::remove);
    }

    /** The record at that offset cannot be read: the log is never read from there again. */
    void skip(LogId log, long offset) {
        Skip last = skips.get(log);
        long length = last != null && last.end() == offset ? 2 * last.length() : 1;
        skips.put(log, new Skip(length, offset + length));
        next.remove(log);
    }
}
