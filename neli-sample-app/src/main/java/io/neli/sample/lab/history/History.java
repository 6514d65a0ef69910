package io.neli.sample.lab.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import io.neli.sample.instance.report.Report;
import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.lab.history.HistoryView.Mark;
import io.neli.sample.lab.history.HistoryView.Span;
import io.neli.sample.lab.history.HistoryView.Written;

/**
 * Folds observations into {@link #view() what has happened}. Keeps the last ten minutes, but the measured durations
 * forever. Not thread-safe.
 */
public final class History {

    private static final long KEPT = 600_000;
    private static final int WRITES = 50;

    private final Set<String> brokers;
    private final Availability availability;
    private final Terms terms;
    private final Runs runs;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final Deque<Written> writes = new ArrayDeque<>();

    /** Instances that were asked to stop and have not ended yet. */
    private final Set<String> stopping = new HashSet<>();

    /**
     * Creates an empty history.
     *
     * @param lease in milliseconds
     * @param brokers their names; all other processes are instances
     */
    public History(long lease, Set<String> brokers) {
        this.brokers = Set.copyOf(brokers);
        availability = new Availability(this.brokers);
        terms = new Terms(lease, availability);
        runs = new Runs(availability);
    }

    /** Applies an observation. They come in the order of time, but those of two threads may be swapped. */
    public void apply(Observation observation) {
        boolean wasDown = observation instanceof Observation.Exited exited && availability.isDown(exited.process());
        availability.apply(observation);
        if (observation instanceof Observation.Occurred occurred) {
            occurred(occurred);
        } else if (observation instanceof Observation.Reported reported) {
            reported(reported);
        } else if (observation instanceof Observation.Exited exited) {
            exited(exited, wasDown);
        }
        long moment = observation.at() - KEPT;
        marks.removeIf(mark -> mark.at() < moment);
        terms.forgetBefore(moment);
        availability.forgetBefore(moment);
    }

    private void occurred(Observation.Occurred occurred) {
        String process = occurred.process();
        mark(occurred, occurred.kind(), "");
        if (brokers.contains(process)) {
            return;
        }
        switch (occurred.kind()) {
            case KILL, FREEZE, CUT -> applyFaults(process);
            case THAW -> recovered(process, Cause.FREEZE);
            case HEAL -> recovered(process, Cause.CUT);
            case STOP -> stopping.add(process);
            case START -> stopping.remove(process);
            default -> {}
        }
    }

    private void recovered(String instance, Cause from) {
        terms.recovered(instance, from);
        applyFaults(instance);
    }

    /** Applies faults that still last, if it was cut off while frozen, or killed before its report was read. */
    private void applyFaults(String instance) {
        for (Span span : availability.openSpans(instance)) {
            Cause cause =
                    switch (span.condition()) {
                        case FROZEN -> Cause.FREEZE;
                        case CUT -> Cause.CUT;
                        case DOWN -> Cause.KILL;
                    };
            terms.faulted(instance, cause, span.from());
        }
    }

    private void reported(Observation.Reported reported) {
        if (reported.report() instanceof Report.Event event) {
            changed(event, reported);
        } else if (reported.report() instanceof Report.Write write) {
            written(write, reported);
        } else if (reported.report() instanceof Report.Run run) {
            runs.apply(run, reported.process());
        } else if (reported.report() instanceof Report.Waiting waiting) {
            runs.apply(waiting);
        }
    }

    private void changed(Report.Event event, Observation.Reported reported) {
        long token = event.token();
        String reason = Objects.requireNonNullElse(event.reason(), "");
        switch (event.event()) {
            case ACQUIRED -> {
                mark(reported, MarkKind.ACQUIRED, " with token " + token);
                terms.acquired(reported.process(), token, reported.at());
                applyFaults(reported.process());
            }
            case REVOKED -> {
                mark(reported, MarkKind.REVOKED, ", " + words(reason));
                terms.revoked(token, reported.at(), Cause.ofRevocation(reason));
            }
            case FENCED -> {
                mark(reported, MarkKind.FENCED, ", " + words(reason));
                terms.fenced(token, reported.at());
            }
        }
    }

    private void written(Report.Write write, Observation.Reported reported) {
        writes.addFirst(new Written(reported.at(), reported.process(), write));
        if (writes.size() > WRITES) {
            writes.removeLast();
        }
        if (write.outcome() == Outcome.REFUSED) {
            mark(reported, MarkKind.REFUSED, ": no. " + write.number() + ", token " + write.token());
        }
    }

    private void exited(Observation.Exited exited, boolean wasDown) {
        String process = exited.process();
        if (!wasDown) {
            mark(exited, MarkKind.EXITED, " with code " + exited.code());
        }
        if (!brokers.contains(process)) {
            terms.exited(process, exited.at(), stopping.remove(process));
        }
    }

    private void mark(Observation observation, MarkKind kind, String more) {
        marks.add(new Mark(observation.at(), observation.process(), kind, kind.text() + more));
    }

    private static String words(String reason) {
        return reason.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    public HistoryView view() {
        return new HistoryView(
                terms.terms(),
                terms.gaps(),
                terms.changes(),
                List.copyOf(marks),
                availability.spans(),
                List.copyOf(writes),
                runs.view(),
                terms.measured());
    }
}
