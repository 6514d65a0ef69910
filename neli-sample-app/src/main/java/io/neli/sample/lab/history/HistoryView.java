package io.neli.sample.lab.history;

import java.util.List;

/** What the page shows of the history; immutable. */
public record HistoryView(
        List<Term> terms, List<Mark> marks, List<Gap> gaps, List<Change> changes, List<Statistics> statistics) {}
