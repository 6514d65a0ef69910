package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.neli.cluster.Bumps;
import io.neli.cluster.History;
import io.neli.cluster.Line;

/** Checks what the processes of a group did, and what resulted. Pure functions. */
final class Checker {

    /** Violations found by {@link History} that concern overlaps and tokens; all others concern events. */
    private static final Map<String, Violation.Kind> BY_BEGINNING = Map.of(
            "Two leaders", Violation.Kind.OVERLAP,
            "Work that was still running", Violation.Kind.OVERLAP,
            "A token that is not larger", Violation.Kind.TOKEN,
            "A later leader with a token", Violation.Kind.TOKEN,
            "A term that was over", Violation.Kind.TOKEN);

    private Checker() {}

    /** Checks that are valid at any time, even while the processes run. */
    static List<Violation> soFar(List<Line> lines) {
        return History.violations(lines).stream()
                .map(text -> new Violation(kind(text), text))
                .toList();
    }

    private static Violation.Kind kind(String text) {
        return BY_BEGINNING.entrySet().stream()
                .filter(entry -> text.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Violation.Kind.EVENTS);
    }

    /** Checks that are valid when all processes have ended. */
    static List<Violation> atTheEnd(List<Line> lines, long counter, List<Register.Decision> decisions) {
        List<Violation> violations = new ArrayList<>(soFar(lines));
        add(violations, Violation.Kind.EFFECT, Bumps.violations(lines, counter));
        add(violations, Violation.Kind.EFFECT, Writes.violations(lines, decisions));
        add(violations, Violation.Kind.EVENTS, Terms.violations(lines));
        return violations;
    }

    private static void add(List<Violation> violations, Violation.Kind kind, List<String> texts) {
        texts.forEach(text -> violations.add(new Violation(kind, text)));
    }
}
