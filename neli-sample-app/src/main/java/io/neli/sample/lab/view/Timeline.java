package io.neli.sample.lab.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

import io.neli.sample.lab.history.HistoryView;
import io.neli.sample.lab.history.HistoryView.Gap;
import io.neli.sample.lab.history.HistoryView.Mark;
import io.neli.sample.lab.history.HistoryView.Span;
import io.neli.sample.lab.history.HistoryView.Term;
import io.neli.sample.lab.history.MarkKind;
import org.jspecify.annotations.Nullable;

/** The last two minutes, with a row for each instance and each broker. Positions are in percent of the width. */
record Timeline(List<Tick> ticks, List<Row> rows, List<Bar> gaps) {

    private static final long WINDOW = 120_000;
    private static final long TICK = 20_000;

    /** In percent: marks of events in quick succession stay distinguishable. */
    private static final double MARK_WIDTH = 1.8;

    private static final double LABEL_WIDTH = 5.5;

    private static final String PLANNED = "planned";

    private static final Set<MarkKind> SHOWN_BY_BARS = EnumSet.of(MarkKind.ACQUIRED, MarkKind.REVOKED);

    /** A labelled time of day. */
    record Tick(String text, double left) {}

    /** Marks, the terms below them, and the times when the process was frozen, cut off or down. */
    record Row(String name, boolean broker, List<Bar> terms, List<Bar> spans, List<Symbol> marks) {}

    /**
     * A stretch of time.
     *
     * @param kind selects the look
     * @param label shown on the bar
     * @param text describes the bar
     */
    record Bar(String key, String kind, double left, double width, String label, String text) {

        private double middle() {
            return left + width / 2;
        }

        private Bar withoutLabel() {
            return new Bar(key, kind, left, width, "", text);
        }
    }

    record Symbol(String key, String kind, double left, String text) {}

    static Timeline of(LabState lab) {
        long start = lab.now() - WINDOW;
        List<Tick> ticks = LongStream.rangeClosed(start / TICK + 1, lab.now() / TICK)
                .map(each -> each * TICK)
                .mapToObj(at -> new Tick(Texts.time(at), percent(at - start)))
                .toList();
        List<Row> rows = new ArrayList<>();
        lab.instances().forEach(instance -> rows.add(row(instance.name(), false, lab, start)));
        lab.brokers().forEach(broker -> rows.add(row(broker.name(), true, lab, start)));
        return new Timeline(ticks, rows, gaps(lab, start));
    }

    /** If labels would overlap, faults take precedence, then longer gaps. */
    private static List<Bar> gaps(LabState lab, long start) {
        List<Bar> gaps = lab.history().gaps().stream()
                .filter(gap -> end(gap.to(), lab) >= start)
                .map(gap -> bar(gap, lab, start))
                .toList();
        List<Bar> byWeight = new ArrayList<>(gaps);
        byWeight.sort(Comparator.comparing((Bar gap) -> gap.kind().equals(PLANNED))
                .thenComparing(Bar::width, Comparator.reverseOrder()));
        List<Bar> labelled = new ArrayList<>();
        for (Bar gap : byWeight) {
            if (labelled.stream().noneMatch(other -> Math.abs(other.middle() - gap.middle()) < LABEL_WIDTH)) {
                labelled.add(gap);
            }
        }
        return gaps.stream()
                .map(gap -> labelled.contains(gap) ? gap : gap.withoutLabel())
                .toList();
    }

    private static Row row(String name, boolean broker, LabState lab, long start) {
        HistoryView history = lab.history();
        List<Bar> terms = history.terms().stream()
                .filter(term -> term.instance().equals(name) && end(term.to(), lab) >= start)
                .map(term -> bar(term, lab, start))
                .toList();
        List<Bar> spans = history.spans().stream()
                .filter(span -> span.process().equals(name) && end(span.to(), lab) >= start)
                .map(span -> bar(span, lab, start))
                .toList();
        List<Mark> marks = history.marks().stream()
                .filter(mark ->
                        mark.process().equals(name) && !SHOWN_BY_BARS.contains(mark.kind()) && mark.at() >= start)
                .toList();
        return new Row(name, broker, terms, spans, symbols(marks, start));
    }

    private static Bar bar(Term term, LabState lab, long start) {
        String text = term.instance() + (term.to() == null ? " leads" : " led") + " with token " + term.token()
                + (term.to() == null ? "" : " for " + Texts.duration(term.to() - term.from()))
                + (term.end() == null ? "" : ", " + Texts.word(term.end()));
        return bar(
                "term " + term.token(),
                "term",
                term.from(),
                end(term.to(), lab),
                Texts.token(term.token()),
                text,
                start);
    }

    private static Bar bar(Span span, LabState lab, long start) {
        String kind = Texts.word(span.condition());
        return bar(kind + " " + span.from(), kind, span.from(), end(span.to(), lab), "", kind, start);
    }

    /** The gap is planned if the change that ended it was. */
    private static Bar bar(Gap gap, LabState lab, long start) {
        boolean planned = lab.history().changes().stream()
                .anyMatch(change -> change.planned() && Objects.equals(gap.to(), change.at()));
        long to = end(gap.to(), lab);
        String lasted = Texts.duration(to - gap.from());
        String kind = planned ? PLANNED : "unplanned";
        return bar("gap " + gap.from(), kind, gap.from(), to, lasted, "Nobody led for " + lasted, start);
    }

    private static Bar bar(String key, String kind, long from, long to, String label, String text, long start) {
        double left = percent(Math.max(0, from - start));
        return new Bar(key, kind, left, percent(to - start) - left, label, text);
    }

    private static long end(@Nullable Long to, LabState lab) {
        return to == null ? lab.now() : to;
    }

    private static List<Symbol> symbols(List<Mark> marks, long start) {
        List<Symbol> symbols = new ArrayList<>();
        double free = 0;
        for (Mark mark : marks) {
            double left = Math.max(free, percent(mark.at() - start));
            free = left + MARK_WIDTH;
            String kind = Texts.word(mark.kind());
            String text = Texts.time(mark.at()) + " " + Texts.sentence(mark);
            symbols.add(new Symbol(mark.at() + " " + kind, kind, left, text));
        }
        return symbols;
    }

    private static double percent(long millis) {
        return millis * 100.0 / WINDOW;
    }
}
