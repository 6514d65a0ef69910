package io.neli.internal.shell;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.neli.internal.election.IgnoredRecord;
import io.neli.internal.election.LogId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts ignored records, and logs the first of each kind. Thread-safe. */
public final class IgnoredRecords {

    private static final Logger log = LoggerFactory.getLogger(IgnoredRecords.class);

    private final ShellSettings settings;
    private final Map<IgnoredRecord, LongAdder> counts = new EnumMap<>(IgnoredRecord.class);

    public IgnoredRecords(ShellSettings settings) {
        this.settings = settings;
        for (IgnoredRecord kind : IgnoredRecord.values()) {
            counts.put(kind, new LongAdder());
        }
    }

    void count(IgnoredRecord kind, LogId place) {
        LongAdder count = counts.get(kind);
        if (count == null) {
            return;
        }
        if (count.sum() == 0) {
            log.info(
                    "Log {}, partition {}: first ignored record of this kind: {}",
                    settings.topic(place.log()),
                    place.partition(),
                    name(kind));
        }
        count.increment();
    }

    /** The counts by kind, without those that are zero. */
    public Map<String, Long> counts() {
        Map<String, Long> counted = new HashMap<>();
        counts.forEach((kind, count) -> {
            if (count.sum() > 0) {
                counted.put(name(kind), count.sum());
            }
        });
        return counted;
    }

    private static String name(IgnoredRecord kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
