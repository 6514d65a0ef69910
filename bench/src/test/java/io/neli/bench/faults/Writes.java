package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.List;

import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;

/**
 * Checks a register of tokens: it never refuses the leader, and always refuses a member whose successor's token it has
 * seen. A member that led from before its request until after the answer led at the instant of the decision.
 */
final class Writes {

    private Writes() {}

    static List<String> violations(List<Line> lines, List<Register.Decision> decisions) {
        List<String> violations = new ArrayList<>();
        lines.stream()
                .filter(line -> line.kind() == Kind.WROTE && line.flag("leads") && !line.flag("accepted"))
                .forEach(line -> violations.add("The register has refused the leader\n    " + line));
        long largest = 0;
        for (Register.Decision decision : decisions) {
            if (decision.accepted() && decision.token() < largest) {
                violations.add("The register has accepted " + decision.token() + " after " + largest);
            }
            largest = decision.accepted() ? Math.max(largest, decision.token()) : largest;
        }
        return violations;
    }

    static long countStale(List<Register.Decision> decisions) {
        return decisions.stream().filter(decision -> !decision.accepted()).count();
    }
}
