package io.neli.sample.lab.view;

import java.util.List;

import io.neli.LeaderTerm;

/**
 * What the page shows of a term that it read from the log.
 *
 * @param unled how long nobody led before it
 */
public record TermRow(String time, String member, String token, String end, String unled) {

    /** Newest first. */
    public static List<TermRow> of(List<LeaderTerm> terms) {
        return Texts.newestFirst(terms, TermRow::of);
    }

    private static TermRow of(LeaderTerm term) {
        return new TermRow(
                term.acquired().map(time -> Texts.time(time.toEpochMilli())).orElse("earlier"),
                term.member(),
                Texts.token(term.token()),
                term.end().map(TermRow::text).orElse("leads"),
                term.unledBefore().map(time -> Texts.duration(time.toMillis())).orElse("–"));
    }

    private static String text(LeaderTerm.End end) {
        return switch (end) {
            case HANDED_OVER -> "handed over";
            case RESIGNED_AFTER_FENCE -> "fenced, resigned later";
            case SILENT -> "fell silent";
        };
    }
}
