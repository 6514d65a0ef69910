package io.neli.nats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** Collects the messages read, by log, until the election takes them. Belongs to one thread. */
final class Batch {

    private final Map<String, LogId> logs;
    private final RecordHeaders headers;
    private Map<LogId, List<LogEntry>> entries = new HashMap<>();
    private Set<LogId> rereading = Set.of();
    private long known;
    private @Nullable StreamMessage last;

    Batch(ShellSettings settings, Subjects subjects) {
        this.logs = settings.logs().stream().collect(Collectors.toMap(log -> subjects.of(log.partition()), log -> log));
        this.headers = new RecordHeaders(settings.groupId());
    }

    RecordHeaders headers() {
        return headers;
    }

    /** Sequences of a stream start at 1, offsets of a log at 0. */
    static long offset(long sequence) {
        return sequence - 1;
    }

    /**
     * Starts reading.
     *
     * @param first messages before this sequence were already given to the election
     * @param again the logs whose messages are given to the election again
     */
    void begin(long first, Set<LogId> again) {
        known = first;
        rereading = again;
        entries = new HashMap<>();
        last = null;
    }

    void add(StreamMessage message) {
        last = message;
        LogId place = logs.get(message.subject());
        if (place != null && (message.sequence() >= known || rereading.contains(place))) {
            entries.computeIfAbsent(place, first -> new ArrayList<>())
                    .add(new LogEntry(offset(message.sequence()), headers.decode(message.headers())));
        }
    }

    /** Makes {@link #take} return these logs even if nothing was read of them. */
    void addAll(Collection<LogId> logs) {
        logs.forEach(each -> entries.computeIfAbsent(each, none -> new ArrayList<>()));
    }

    /** The last message added; null if there is none. */
    @Nullable
    StreamMessage last() {
        return last;
    }

    /** Returns what was added since the last call. */
    Map<LogId, Input.RecordsRead> take(long next) {
        Map<LogId, Input.RecordsRead> read = new HashMap<>();
        entries.forEach((place, each) -> read.put(place, new Input.RecordsRead(each, offset(next))));
        entries = new HashMap<>();
        return read;
    }
}
