package io.neli.sample.lab.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.neli.sample.instance.report.Report;
import io.neli.sample.lab.history.HistoryView.Condition;
import io.neli.sample.lab.history.HistoryView.Span;

/** Tracks which processes work, and whether an instance can lead: it is eligible, runs, and reaches the brokers. */
final class Availability {

    private final Set<String> brokers;
    private final Set<String> eligible = new HashSet<>();
    private final List<Span> spans = new ArrayList<>();
    private boolean outage;
    private long outageBefore = Long.MIN_VALUE;
    private boolean candidates;
    private long candidatesSince = Long.MIN_VALUE;

    Availability(Set<String> brokers) {
        this.brokers = brokers;
    }

    void apply(Observation observation) {
        long at = observation.at();
        if (observation instanceof Observation.Occurred occurred) {
            apply(occurred);
        } else if (observation instanceof Observation.Reported reported) {
            apply(reported);
        } else if (observation instanceof Observation.Exited exited) {
            ended(exited.process(), at);
        }
        boolean tooFew = 2 * brokers.stream().filter(this::works).count() <= brokers.size();
        if (outage && !tooFew) {
            outageBefore = at;
        }
        outage = tooFew;
        boolean now = eligible.stream().anyMatch(this::works);
        if (now && !candidates) {
            candidatesSince = at;
        }
        candidates = now;
    }

    private void apply(Observation.Occurred occurred) {
        String process = occurred.process();
        long at = occurred.at();
        switch (occurred.kind()) {
            case KILL -> ended(process, at);
            case STOP -> {
                eligible.remove(process); // an instance still hands over
                if (brokers.contains(process)) {
                    ended(process, at);
                }
            }
            case START -> {
                eligible.remove(process);
                if (!brokers.contains(process)) {
                    end(process, Condition.DOWN, at);
                }
            }
            case UP -> end(process, Condition.DOWN, at);
            case FREEZE -> begin(process, Condition.FROZEN, at);
            case THAW -> end(process, Condition.FROZEN, at);
            case CUT -> begin(process, Condition.CUT, at);
            case HEAL -> end(process, Condition.CUT, at);
            default -> {}
        }
    }

    private void apply(Observation.Reported reported) {
        String instance = reported.process();
        if (reported.report() instanceof Report.Snapshot snapshot && !snapshot.eligible()) {
            eligible.remove(instance);
        } else if (reported.report() instanceof Report.Snapshot) {
            eligible.add(instance);
        } else if (reported.report() instanceof Report.Event event && event.event() == Report.Kind.ACQUIRED) {
            eligible.add(instance); // a leader is eligible, even if it has not reported that yet
        }
    }

    private void ended(String process, long at) {
        eligible.remove(process);
        end(process, Condition.FROZEN, at);
        begin(process, Condition.DOWN, at);
    }

    private void begin(String process, Condition condition, long at) {
        if (openSpans(process).stream().noneMatch(span -> span.condition() == condition)) {
            spans.add(new Span(process, condition, at, null));
        }
    }

    private void end(String process, Condition condition, long at) {
        for (Span span : openSpans(process)) {
            if (span.condition() == condition) {
                spans.set(spans.indexOf(span), new Span(process, condition, span.from(), at));
            }
        }
    }

    boolean isDown(String process) {
        return openSpans(process).stream().anyMatch(span -> span.condition() == Condition.DOWN);
    }

    private boolean works(String process) {
        return openSpans(process).isEmpty();
    }

    /** The faults of a process that last now. */
    List<Span> openSpans(String process) {
        return spans.stream()
                .filter(span -> span.to() == null && span.process().equals(process))
                .toList();
    }

    /** Whether any broker was faulty at some time since {@code moment}. */
    boolean aBrokerFailedSince(long moment) {
        return spans.stream()
                .anyMatch(span -> brokers.contains(span.process()) && (span.to() == null || span.to() >= moment));
    }

    /** Whether less than a majority of the brokers worked at some time since {@code moment}. */
    boolean brokersFailedSince(long moment) {
        return outage || outageBefore >= moment;
    }

    /** {@code moment}, or the time when a majority of the brokers worked again if that is later. */
    long brokersWorkAfter(long moment) {
        return Math.max(moment, outageBefore);
    }

    /** {@code moment}, or the time when an instance could lead again if that is later. */
    long candidatesAfter(long moment) {
        return Math.max(moment, candidatesSince);
    }

    boolean hadCandidatesBefore(long moment) {
        return candidatesSince < moment;
    }

    void forgetBefore(long moment) {
        spans.removeIf(span -> span.to() != null && span.to() < moment);
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }
}
