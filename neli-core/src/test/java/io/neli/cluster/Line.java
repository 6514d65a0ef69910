package io.neli.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one process did or answered at one instant.
 *
 * @param process one start of one member, such as {@code b#2}
 * @param nanos its {@link System#nanoTime}, which on one Linux machine is the same clock for all processes
 * @param kind what it was
 * @param fields more about it
 */
public record Line(String process, long nanos, Kind kind, Map<String, String> fields) {

    /** What a line says. */
    public enum Kind {
        /** Events, as the listener receives them. */
        ACQUIRED,
        REVOKED,
        FENCED,
        /**
         * Samples of {@code isLeader()}: the first that is true, one from time to time while it is, the first that is
         * not.
         */
        LEADS,
        STILL_LEADS,
        LEADS_NOT,
        /** A long piece of work. */
        WORK_BEGUN,
        WORK_ENDED,
        /** The counter: what is about to be written, what was written, and what was not after all. */
        BUMP,
        BUMPED,
        NOT_BUMPED,
        /** A token was written to the {@link Register}: accepted or refused. */
        WROTE,
        /** What the process holds. */
        USAGE,
        /** The snapshot, when it has changed. */
        STATE,
        /** {@code start()} is about to be called. */
        STARTING,
        CLOSED,
        /** Written by the test: what it did to the process. */
        STARTED,
        SIGNALLED,
        EXITED
    }

    /** What a member's lines begin with on its standard output. */
    public static final String MARK = "@neli ";

    /** Reads what {@link #format} has written. */
    public static Line parse(String process, String text) {
        String[] words = text.substring(MARK.length()).split(" ");
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Line(process, Long.parseLong(words[0]), Kind.valueOf(words[1]), fields);
    }

    /** One line of text; the fields are names and values in turn, none of which may hold a blank. */
    public static String format(long nanos, Kind kind, Object... fields) {
        StringBuilder text = new StringBuilder(MARK).append(nanos).append(' ').append(kind);
        for (int i = 0; i < fields.length; i += 2) {
            text.append(' ').append(fields[i]).append('=').append(fields[i + 1]);
        }
        return text.toString();
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
