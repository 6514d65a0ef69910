package io.neli.internal.shell;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.neli.internal.election.IgnoredRecord;
import io.neli.internal.election.LogId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts ignored records, and logs the first of each kind. Thread-safe. */
public final class IgnoredRecords {

    private static final Logger log = LoggerFactory.getLogger(IgnoredRecords.class);

    private final ShellSettings settings;
    private final Map<IgnoredRecord, Long> counts = new ConcurrentHashMap<>();

    public IgnoredRecords(ShellSettings settings) {
        this.settings = settings;
    }

    void count(IgnoredRecord kind, LogId place) {
        if (counts.merge(kind, 1L, Long::sum) == 1) {
            log.info(
                    "Log {}, partition {}: first ignored record of this kind: {}",
                    settings.topic(place.log()),
                    place.partition(),
                    name(kind));
        }
    }

    /** The counts by kind, without those that are zero. */
    public Map<String, Long> counts() {
        return counts.entrySet().stream().collect(Collectors.toMap(count -> name(count.getKey()), Map.Entry::getValue));
    }

    private static String name(IgnoredRecord kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
