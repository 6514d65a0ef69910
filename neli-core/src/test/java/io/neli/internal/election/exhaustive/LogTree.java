package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.LogRecord;

/** All logs that came up in a search, numbered; equal logs have equal numbers. */
final class LogTree {

    static final int EMPTY = 0;

    private final List<List<LogRecord>> logs = new ArrayList<>(List.of(List.of()));
    private final Map<List<LogRecord>, Integer> numbers = new HashMap<>(Map.of(List.of(), EMPTY));
    private final List<LogRecord> records = new ArrayList<>();
    private final Map<LogRecord, Integer> recordNumbers = new HashMap<>();

    List<LogRecord> get(int number) {
        return logs.get(number);
    }

    int append(int number, LogRecord record) {
        List<LogRecord> longer = new ArrayList<>(get(number));
        longer.add(record);
        return numbers.computeIfAbsent(List.copyOf(longer), log -> {
            logs.add(log);
            return logs.size() - 1;
        });
    }

    /** The number of the record at the offset, whatever log it is in. */
    int recordAt(int number, long offset) {
        return recordNumbers.computeIfAbsent(get(number).get((int) offset), record -> {
            records.add(record);
            return records.size() - 1;
        });
    }

    LogRecord record(int recordNumber) {
        return records.get(recordNumber);
    }

    /** The largest token in the log; 0 if there is none. */
    int largestToken(int number) {
        return get(number).stream()
                .mapToInt(record -> (int) record.sender().token())
                .max()
                .orElse(0);
    }
}
