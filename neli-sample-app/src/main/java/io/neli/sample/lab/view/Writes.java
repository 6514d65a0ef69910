package io.neli.sample.lab.view;

import java.util.List;

import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.instance.report.Report.Write;
import io.neli.sample.lab.history.HistoryView;
import io.neli.sample.lab.history.HistoryView.Written;
import io.neli.sample.lab.history.MarkKind;

/** What the instances have written to the ledger, or tried to write; newest first. */
record Writes(String summary, boolean refused, List<Entry> entries) {

    /** An entry, with the reason if it is not in the ledger. */
    record Entry(String key, String outcome, String time, String instance, String token, String number, String why) {}

    static Writes of(HistoryView history) {
        long refused = history.marks().stream()
                .filter(mark -> mark.kind() == MarkKind.REFUSED)
                .count();
        String summary = refused == 0
                ? "none refused yet"
                : refused + (refused == 1 ? " stale write refused" : " stale writes refused");
        List<Entry> entries =
                history.writes().stream().map(write -> entry(write, history)).toList();
        return new Writes(summary, refused > 0, entries);
    }

    private static Entry entry(Written written, HistoryView history) {
        Write write = written.entry();
        String outcome = Texts.word(write.outcome());
        return new Entry(
                written.instance() + " " + written.at() + " " + write.number() + " " + outcome,
                outcome,
                Texts.time(written.at()),
                written.instance(),
                Texts.token(write.token()),
                "no. " + write.number(),
                why(write, written.at(), history));
    }

    private static String why(Write write, long at, HistoryView history) {
        if (write.outcome() == Outcome.COMMITTED) {
            return "";
        }
        if (write.outcome() == Outcome.FAILED) {
            return "The write failed: " + withoutPackages(String.valueOf(write.reason()));
        }
        String successor = history.terms().stream()
                .filter(term -> term.token() > write.token() && term.from() <= at)
                .reduce((first, second) -> second)
                .map(term -> term.instance() + " leads with token " + term.token())
                .orElse("another instance leads");
        return "Token " + write.token() + " is stale: " + successor
                + ". The broker refused the transaction, so nothing of it is in the ledger.";
    }

    private static String withoutPackages(String text) {
        return text.replaceAll("\\b(?:[a-z]\\w*\\.)+([A-Z]\\w*)", "$1");
    }
}
