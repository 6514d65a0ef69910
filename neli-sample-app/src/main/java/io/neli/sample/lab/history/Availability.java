package io.neli.sample.lab.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.neli.sample.lab.history.HistoryView.Condition;
import io.neli.sample.lab.history.HistoryView.Span;
import org.jspecify.annotations.Nullable;

/** Which processes work, and whether any instance could lead: an eligible one that runs and reaches the broker. */
final class Availability {

    private final Set<String> eligible = new HashSet<>();
    private final List<Span> open = new ArrayList<>();
    private final List<Span> closed = new ArrayList<>();
    private @Nullable Span brokerDown;
    private boolean candidates;
    private long candidatesSince = Long.MIN_VALUE;

    void apply(Observation observation) {
        long at = observation.at();
        if (observation instanceof Observation.Occurred occurred) {
            apply(occurred);
        } else if (observation instanceof Observation.Eligible report && report.eligible()) {
            eligible.add(report.instance());
        } else if (observation instanceof Observation.Eligible report) {
            eligible.remove(report.instance());
        } else if (observation instanceof Observation.Acquired acquired) {
            eligible.add(acquired.instance()); // a leader is eligible, even if it has not reported that yet
        } else if (observation instanceof Observation.Exited exited) {
            ended(exited.instance(), at);
        }
        boolean now = eligible.stream().anyMatch(instance -> openSpans(instance).isEmpty());
        if (now && !candidates) {
            candidatesSince = at;
        }
        candidates = now;
    }

    private void apply(Observation.Occurred occurred) {
        String instance = occurred.instance();
        long at = occurred.at();
        switch (occurred.kind()) {
            case KILL, BROKER_STOP -> ended(instance, at);
            case STOP -> eligible.remove(instance);
            case START, BROKER_UP -> {
                eligible.remove(instance);
                end(instance, Condition.DOWN, at);
            }
            case FREEZE -> begin(instance, Condition.FROZEN, at);
            case THAW -> end(instance, Condition.FROZEN, at);
            case CUT -> begin(instance, Condition.CUT, at);
            case HEAL -> end(instance, Condition.CUT, at);
            default -> {}
        }
    }

    private void ended(@Nullable String instance, long at) {
        eligible.remove(instance);
        end(instance, Condition.FROZEN, at);
        begin(instance, Condition.DOWN, at);
    }

    private void begin(@Nullable String instance, Condition condition, long at) {
        if (open.stream().noneMatch(span -> is(span, instance, condition))) {
            Span span = new Span(instance, condition, at, null);
            open.add(span);
            brokerDown = instance == null ? span : brokerDown;
        }
    }

    private void end(@Nullable String instance, Condition condition, long at) {
        open.stream().filter(span -> is(span, instance, condition)).findFirst().ifPresent(span -> {
            Span ended = new Span(instance, condition, span.from(), at);
            open.remove(span);
            closed.add(ended);
            brokerDown = instance == null ? ended : brokerDown;
        });
    }

    private static boolean is(Span span, @Nullable String instance, Condition condition) {
        return span.condition() == condition && Objects.equals(span.instance(), instance);
    }

    boolean isDown(@Nullable String instance) {
        return open.stream().anyMatch(span -> is(span, instance, Condition.DOWN));
    }

    /** What is wrong with an instance now. */
    List<Span> openSpans(String instance) {
        return open.stream().filter(span -> instance.equals(span.instance())).toList();
    }

    /** Whether the broker was down at any time since that moment, or so shortly before it that this must be the cause. */
    boolean brokerWasDown(long since, long shortly) {
        return brokerDown != null && (brokerDown.to() == null || brokerDown.to() + shortly >= since);
    }

    /** That moment, or the later one at which the broker was up again. */
    long brokerUpAfter(long moment) {
        return brokerDown == null || brokerDown.to() == null ? moment : Math.max(moment, brokerDown.to());
    }

    /** That moment, or the later one at which an instance could lead again. */
    long candidatesAfter(long moment) {
        return Math.max(moment, candidatesSince);
    }

    boolean hadCandidatesBefore(long moment) {
        return candidatesSince < moment;
    }

    void forgetBefore(long moment) {
        closed.removeIf(span -> span.to() != null && span.to() < moment);
    }

    List<Span> spans() {
        return Stream.concat(closed.stream(), open.stream()).toList();
    }
}
