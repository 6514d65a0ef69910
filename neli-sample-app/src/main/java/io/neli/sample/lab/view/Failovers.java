package io.neli.sample.lab.view;

import java.util.List;

import io.neli.sample.lab.history.HistoryView;
import io.neli.sample.lab.history.HistoryView.Change;

/** The measured changes of leader, newest first. */
record Failovers(Kind unplanned, Kind planned, List<Row> changes) {

    /** One of the two kinds of change: the latest one, and statistics of all. */
    record Kind(String last, String path, String why, List<Figure> figures) {}

    record Figure(String name, String value) {}

    record Row(String time, String path, String why, String took, boolean planned) {}

    static Failovers of(HistoryView history) {
        return new Failovers(
                kind(history, false, "None yet. Kill the leader."),
                kind(history, true, "None yet. Let the leader resign."),
                Texts.newestFirst(history.changes(), Failovers::row));
    }

    private static Row row(Change change) {
        boolean couldLeadBefore = change.planned() || change.millis() > 0;
        return new Row(
                Texts.time(change.at()),
                change.from() + " → " + change.to(),
                change.cause().text(),
                couldLeadBefore ? Texts.duration(change.millis()) : "–",
                change.planned());
    }

    private static Kind kind(HistoryView history, boolean planned, String none) {
        List<Change> changes = history.measured().stream()
                .filter(change -> change.planned() == planned)
                .toList();
        if (changes.isEmpty()) {
            return new Kind("–", none, "", List.of());
        }
        Row last = row(changes.get(changes.size() - 1));
        return new Kind(last.took(), last.path(), last.why() + ", " + last.time(), figures(changes));
    }

    private static List<Figure> figures(List<Change> changes) {
        List<Long> times = changes.stream().map(Change::millis).sorted().toList();
        int size = times.size();
        long median = (times.get((size - 1) / 2) + times.get(size / 2)) / 2;
        return List.of(
                new Figure("min", Texts.duration(times.get(0))),
                new Figure("median", Texts.duration(median)),
                new Figure("max", Texts.duration(times.get(size - 1))),
                new Figure("count", Integer.toString(size)));
    }
}
