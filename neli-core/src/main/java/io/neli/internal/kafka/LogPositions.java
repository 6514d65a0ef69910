package io.neli.internal.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.neli.internal.election.Input;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** How far the partitions of the leader topic have been read: a reader continues where the one before it ended. */
final class LogPositions {

    /** How far before its end a log is read: where the group has a leader, some of its heartbeats are there. */
    private static final long LOOKBACK = 200;

    /** How far if that does not suffice: further back than any lease. */
    private static final long LONGEST_LOOKBACK = 10_000;

    private final Map<Integer, OffsetAndMetadata> next = new HashMap<>();
    private final Set<Integer> extended = new HashSet<>();
    private final Map<Integer, Skip> skips = new HashMap<>();
    private @Nullable Uuid topicId;

    /**
     * Records that cannot be read.
     *
     * @param length how many are skipped, as the log does not say where the next one begins that can be read
     * @param end the first offset after them
     */
    private record Skip(long length, long end) {}

    /** Whether these are positions in that topic. */
    boolean areOf(Uuid topic) {
        return topic.equals(topicId);
    }

    /** Begins with another topic. */
    void reset(Uuid topic) {
        topicId = topic;
        next.clear();
        extended.clear();
        skips.clear();
    }

    /** The next offset to read of each open partition, with the leader epoch of the record before it. */
    Map<Integer, OffsetAndMetadata> next() {
        return Map.copyOf(next);
    }

    boolean anyOpen() {
        return !next.isEmpty();
    }

    /** Whether the record at that offset has been read, or is not to be read: its partition is not open. */
    boolean isPast(int partition, long offset) {
        OffsetAndMetadata position = next.get(partition);
        return position == null || position.offset() > offset;
    }

    /** The next offset to read of a partition that is open. */
    long of(int partition) {
        return Objects.requireNonNull(next.get(partition)).offset();
    }

    /** Chooses where to read a partition from, whose log has these bounds. */
    Input.LogOpened open(LogOpening.Bounds log) {
        Skip skip = skips.get(log.partition());
        long first = skip == null ? log.begin() : Math.max(log.begin(), Math.min(skip.end(), log.end()));
        boolean whole = extended.remove(log.partition());
        long start = Math.max(first, log.end() - (whole ? LONGEST_LOOKBACK : LOOKBACK));
        next.put(log.partition(), new OffsetAndMetadata(start));
        return new Input.LogOpened(start, log.end(), !whole && start > first);
    }

    /** The next time these partitions are opened, they are read from as far back as records may be wanted. */
    void extend(Collection<Integer> partitions) {
        partitions.forEach(next::remove);
        extended.addAll(partitions);
    }

    void read(Map<Integer, OffsetAndMetadata> positions) {
        next.putAll(positions);
    }

    void lost(Collection<Integer> partitions) {
        partitions.forEach(next::remove);
    }

    /** The record at that offset cannot be read: the partition is never read from there again. */
    void skip(int partition, long offset) {
        Skip last = skips.get(partition);
        long length = last != null && last.end() == offset ? 2 * last.length() : 1;
        skips.put(partition, new Skip(length, offset + length));
        next.remove(partition);
    }
}
