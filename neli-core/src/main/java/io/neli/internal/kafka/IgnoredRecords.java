package io.neli.internal.kafka;

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
final class IgnoredRecords {

    private static final Logger log = LoggerFactory.getLogger(IgnoredRecords.class);

    private final String topic;
    private final Map<IgnoredRecord, LongAdder> counts = new EnumMap<>(IgnoredRecord.class);

    IgnoredRecords(String topic) {
        this.topic = topic;
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
                    "Topic {} partition {}: first ignored record of this kind: {}",
                    KafkaSettings.topic(topic, place.log()),
                    place.partition(),
                    name(kind));
        }
        count.increment();
    }

    /** The counts by kind, without those that are zero. */
    Map<String, Long> counts() {
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
