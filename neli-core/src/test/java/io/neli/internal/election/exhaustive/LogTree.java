package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.neli.internal.election.LogRecord;

/**
 * Numbers the contents of the partition's logs at any moment of a search; one number is for all logs. A log that
 * was created again is an additional one.
 */
final class LogTree {

    /** The number of empty logs. */
    static final int EMPTY = 0;

    private final Numbering<List<LogRecord>> logs = new Numbering<>();
    private final Numbering<List<Integer>> together = new Numbering<>();
    private final Numbering<LogRecord> records = new Numbering<>();

    /** @param count how many logs there are */
    LogTree(int count) {
        together.numberOf(Collections.nCopies(count, logs.numberOf(List.of())));
    }

    List<LogRecord> get(int number, int log) {
        return logs.get(together.get(number).get(log));
    }

    int append(int number, int log, LogRecord record) {
        List<LogRecord> longer = new ArrayList<>(get(number, log));
        longer.add(record);
        List<Integer> next = new ArrayList<>(together.get(number));
        next.set(log, logs.numberOf(List.copyOf(longer)));
        return together.numberOf(List.copyOf(next));
    }

    /** The number of the record at the offset, in whichever log. */
    int recordAt(int number, int log, long offset) {
        return records.numberOf(get(number, log).get((int) offset));
    }

    LogRecord record(int recordNumber) {
        return records.get(recordNumber);
    }

    /** The largest token in any of the logs; 0 if there is none. */
    int largestToken(int number) {
        return together.get(number).stream()
                .flatMap(log -> logs.get(log).stream())
                .mapToInt(record -> (int) record.sender().token())
                .max()
                .orElse(0);
    }
}
