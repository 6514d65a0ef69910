package io.neli.internal.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;

/** How far the logs have been read: a reader continues where the one before it ended. */
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
     * @param length how many are skipped, as the log does not say where the next one begins that can be read
     * @param end the first offset after them
     */
    private record Skip(long length, long end) {}

    /**
     * Nothing has been read.
     *
     * @param isOneOfSeveral whether a reader must find the record that tells which log it is, however far back
     */
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

    /** The next offset to read of each open log, with the leader epoch of the record before it. */
    Map<LogId, OffsetAndMetadata> next() {
        return Map.copyOf(next);
    }

    /** Whether so many logs of any partition are open. */
    boolean anyOpen(int logs) {
        return next.keySet().stream()
                .collect(Collectors.groupingBy(LogId::partition, Collectors.counting()))
                .values()
                .stream()
                .anyMatch(open -> open >= logs);
    }

    /** Whether the record at that offset has been read, or is not to be read: its log is not open. */
    boolean isPast(LogId log, long offset) {
        OffsetAndMetadata position = next.get(log);
        return position == null || position.offset() > offset;
    }

    /** The last offset that each log had when it was opened, if it is open and has not been read so far. */
    Map<LogId, Long> unfinished() {
        Map<LogId, Long> last = new HashMap<>();
        next.forEach((log, position) -> {
            long end = ends.getOrDefault(log, 0L);
            if (position.offset() < end) {
                last.put(log, end - 1);
            }
        });
        return last;
    }

    /** The next offset to read of a log that is open. */
    long of(LogId log) {
        return Objects.requireNonNull(next.get(log)).offset();
    }

    /** Chooses where to read a log from that has these bounds. */
    Input.LogOpened open(LogOpening.Bounds log) {
        Skip skip = skips.get(log.log());
        long first = skip == null ? log.begin() : Math.max(log.begin(), Math.min(skip.end(), log.end()));
        boolean whole = extended.remove(log.log());
        long start = Math.max(first, log.end() - (whole ? longestLookback : LOOKBACK));
        next.put(log.log(), new OffsetAndMetadata(start));
        ends.put(log.log(), log.end());
        return new Input.LogOpened(start, log.end(), !whole && start > first);
    }

    /** The next time these logs are opened, they are read from as far back as records may be wanted. */
    void extend(Collection<LogId> logs) {
        logs.forEach(next::remove);
        extended.addAll(logs);
    }

    void read(Map<LogId, OffsetAndMetadata> positions) {
        next.putAll(positions);
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
