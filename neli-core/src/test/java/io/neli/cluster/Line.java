package io.neli.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one process did or answered at one instant.
 *
 * @param process one start of one member, such as {@code b#2}
 * @param nanos its {@link System#nanoTime}; on one Linux machine, all processes share this clock
 * @param kind what it is about
 * @param fields the details
 */
public record Line(String process, long nanos, Kind kind, Map<String, String> fields) {

    /** What a line says. */
    public enum Kind {
        /** Events, as the listener receives them. */
        ACQUIRED,
        REVOKED,
        FENCED,
        /**
         * Samples of {@code isLeader()}: the first true answer, one from time to time while it is true, and the first
         * false one.
         */
        LEADS,
        STILL_LEADS,
        LEADS_NOT,
        /** Work that takes long. */
        WORK_BEGUN,
        WORK_ENDED,
        /** The counter: a number about to be written, one written, and one not written after all. */
        BUMP,
        BUMPED,
        NOT_BUMPED,
        /** A token was written to the register of {@link FencedWriter}: accepted or refused. */
        WROTE,
        /** The resources that the process uses. */
        USAGE,
        /** The snapshot, when it has changed. */
        STATE,
        /** {@code start()} is about to be called. */
        STARTING,
        CLOSED,
        /** Written by the test: its actions on the process. */
        STARTED,
        SIGNALLED,
        EXITED
    }

    /** The start of a member's lines on its standard output. */
    public static final String MARK = "@neli ";

    /** Reads what {@link Report} has written. */
    public static Line parse(String process, String text) {
        String[] words = text.substring(MARK.length()).split(" ");
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Line(process, Long.parseLong(words[0]), Kind.valueOf(words[1]), fields);
    }

    /** Lines of process, nanoseconds, kind and fields, such as {@code a 10 ACQUIRED token=5}, to test the checkers. */
    public static List<Line> forged(String... lines) {
        return Stream.of(lines)
                .map(line -> line.split(" ", 2))
                .map(parts -> parse(parts[0], MARK + parts[1]))
                .toList();
    }

    /** The role it is about; empty if it is about the process. */
    public String role() {
        return fields.getOrDefault("role", "");
    }

    public long number(String field) {
        return Long.parseLong(text(field));
    }

    public boolean flag(String field) {
        return Boolean.parseBoolean(text(field));
    }

    public String text(String field) {
        String value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no " + field + " in " + this);
        }
        return value;
    }

    @Override
    public String toString() {
        return String.format("%,15.3f ms %-5s %s %s", nanos / 1e6, process, kind, fields.isEmpty() ? "" : fields);
    }
}
