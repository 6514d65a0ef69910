package io.neli.sample.lab.view;

import java.util.List;

import io.neli.sample.lab.history.HistoryView;
import io.neli.sample.lab.history.RunsView;
import io.neli.sample.lab.history.RunsView.Run;

/** The runs of the scheduled job, oldest first. */
record Schedule(String summary, boolean wrong, List<Cell> runs) {

    /**
     * A due time of the job.
     *
     * @param kind selects the look
     * @param time without the hour, so that many fit
     * @param word what is special about the run; empty if it ran on time
     * @param text the full description
     */
    record Cell(String key, String kind, String time, String instance, String word, String text) {}

    static Schedule of(HistoryView history) {
        RunsView runs = history.runs();
        String merged = runs.merged() == 0
                ? ""
                : ", " + runs.merged() + " made up for by a later one, because nobody could run them";
        return new Schedule(
                "missed " + runs.missed() + ", repeated " + runs.repeated() + merged,
                runs.missed() + runs.repeated() > 0,
                runs.latest().stream().map(run -> cell(run, history)).toList());
    }

    private static Cell cell(Run run, HistoryView history) {
        String kind = kind(run, history);
        String word = kind.equals("ended") ? "" : kind;
        String time = Texts.time(run.due());
        String text = "due at " + time + (run.instance().isEmpty() ? "" : ", " + run.instance())
                + (word.isEmpty() ? "" : ": " + word);
        return new Cell(
                Long.toString(run.due()),
                kind,
                time.substring(3),
                run.instance().isEmpty() ? "–" : run.instance(),
                word,
                text);
    }

    private static String kind(Run run, HistoryView history) {
        return switch (run.phase()) {
            case BEGUN -> "running";
            case REPEATED, MISSED, MERGED -> Texts.word(run.phase());
            case ENDED, RECORDED -> run.again() ? "again" : isLate(run, history) ? "late" : "ended";
        };
    }

    /** Whether its leader began to lead only after the run was due. */
    private static boolean isLate(Run run, HistoryView history) {
        return history.terms().stream().anyMatch(term -> term.token() == run.token() && term.from() > run.due());
    }
}
