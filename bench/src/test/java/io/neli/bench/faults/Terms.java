package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;

/**
 * Checks that every acquired term ends: in a revocation, a fence, or the one and then the other. Only a killed process
 * reports no end. {@link io.neli.cluster.History} checks that no term ends twice.
 */
final class Terms {

    private Terms() {}

    static List<String> violations(List<Line> lines) {
        Set<String> killed = new HashSet<>();
        Set<List<String>> ended = new HashSet<>();
        for (Line line : lines) {
            if (line.kind() == Kind.SIGNALLED && line.text("what").equals("KILL")) {
                killed.add(line.process());
            } else if (line.kind() == Kind.REVOKED || line.kind() == Kind.FENCED) {
                ended.add(term(line));
            }
        }
        List<String> violations = new ArrayList<>();
        lines.stream()
                .filter(line -> line.kind() == Kind.ACQUIRED)
                .filter(line -> !killed.contains(line.process()) && !ended.contains(term(line)))
                .forEach(line -> violations.add("A term without an end\n    " + line));
        return violations;
    }

    private static List<String> term(Line line) {
        return List.of(line.process(), line.role(), line.text("token"));
    }
}
