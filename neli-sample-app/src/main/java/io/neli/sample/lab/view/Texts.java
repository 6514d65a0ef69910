package io.neli.sample.lab.view;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import io.neli.sample.lab.history.HistoryView.Mark;

/** Formats figures and times. */
final class Texts {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private Texts() {}

    /** A measured duration: 12 ms, 870 ms, 2.87 s, 12.3 s, 1 min 4 s. */
    static String duration(long millis) {
        long ms = Math.max(0, millis);
        if (ms < 1000) {
            return ms + " ms";
        }
        if (ms < 9995) {
            return String.format(Locale.ROOT, "%.2f s", ms / 1000.0);
        }
        if (ms < 59_950) {
            return seconds(ms);
        }
        long seconds = Math.round(ms / 1000.0);
        return seconds / 60 + " min " + seconds % 60 + " s";
    }

    /** A rounded duration, which stays readable while it changes. */
    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }

    /** The time of day; the page is read on the same machine. */
    static String time(long at) {
        return TIME.format(Instant.ofEpochMilli(at).atZone(ZoneId.systemDefault()));
    }

    /** The last six digits of a token, for narrow places: they suffice to tell terms apart. */
    static String token(long token) {
        String digits = Long.toString(token);
        return "token " + (digits.length() > 6 ? "…" + digits.substring(digits.length() - 6) : digits);
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** What is shown of a list that is in the order of time. */
    static <T, R> List<R> newestFirst(List<T> list, Function<T, R> shown) {
        List<R> rows = new ArrayList<>(list.stream().map(shown).toList());
        Collections.reverse(rows);
        return rows;
    }

    /** An event without its time. */
    static String sentence(Mark mark) {
        return mark.process() + ": " + mark.text();
    }
}
