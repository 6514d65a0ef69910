package io.neli.sample.lab.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.lab.history.HistoryView.Mark;
import io.neli.sample.lab.history.HistoryView.Span;

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
    private final Deque<Observation.Written> writes = new ArrayDeque<>();

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
        } else if (observation instanceof Observation.Acquired acquired) {
            acquired(acquired);
        } else if (observation instanceof Observation.Revoked revoked) {
            mark(revoked, revoked.instance(), MarkKind.REVOKED, ", " + words(revoked.reason()));
            terms.revoked(revoked.token(), revoked.at(), Cause.ofRevocation(revoked.reason()));
        } else if (observation instanceof Observation.Fenced fenced) {
            mark(fenced, fenced.instance(), MarkKind.FENCED, ", " + words(fenced.reason()));
            terms.fenced(fenced.token(), fenced.at());
        } else if (observation instanceof Observation.Written written) {
            written(written);
        } else if (observation instanceof Observation.Exited exited) {
            exited(exited, wasDown);
        }
        runs.apply(observation);
        long moment = observation.at() - KEPT;
        marks.removeIf(mark -> mark.at() < moment);
        terms.forgetBefore(moment);
        availability.forgetBefore(moment);
    }

    private void occurred(Observation.Occurred occurred) {
        String process = occurred.process();
        long at = occurred.at();
        mark(occurred, process, occurred.kind(), "");
        if (brokers.contains(process)) {
            return;
        }
        switch (occurred.kind()) {
            case KILL -> terms.faulted(process, Cause.KILL, at);
            case FREEZE -> terms.faulted(process, Cause.FREEZE, at);
            case CUT -> terms.faulted(process, Cause.CUT, at);
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

    private void acquired(Observation.Acquired acquired) {
        String instance = acquired.instance();
        mark(acquired, instance, MarkKind.ACQUIRED, " with token " + acquired.token());
        terms.acquired(instance, acquired.token(), acquired.at());
        applyFaults(instance);
    }

    private void written(Observation.Written written) {
        writes.addFirst(written);
        if (writes.size() > WRITES) {
            writes.removeLast();
        }
        if (written.outcome() == Outcome.REFUSED) {
            mark(
                    written,
                    written.instance(),
                    MarkKind.REFUSED,
                    ": no. " + written.number() + ", token " + written.token());
        }
    }

    private void exited(Observation.Exited exited, boolean wasDown) {
        String process = exited.process();
        if (!wasDown) {
            mark(exited, process, MarkKind.EXITED, " with code " + exited.code());
        }
        if (!brokers.contains(process)) {
            terms.exited(process, exited.at(), stopping.remove(process));
        }
    }

    private void mark(Observation observation, String process, MarkKind kind, String more) {
        marks.add(new Mark(observation.at(), process, kind, kind.text() + more));
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
                terms.planned(),
                terms.unplanned());
    }
}
