package io.neli.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.neli.cluster.Line.Kind;

/**
 * Checks, role by role, that what all processes of a group did is possible in an election with leases and tokens. Pure:
 * violations are returned as sentences.
 */
public final class History {

    private static final Set<Kind> EVENTS = EnumSet.of(Kind.ACQUIRED, Kind.REVOKED, Kind.FENCED);

    private final Map<String, List<Line>> byProcess = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private History(List<Line> lines) {
        lines.forEach(line -> byProcess
                .computeIfAbsent(line.process(), process -> new ArrayList<>())
                .add(line));
    }

    /** All violations. The lines of one process are in the order in which it wrote them. */
    public static List<String> violations(List<Line> lines) {
        Set<String> roles = lines.stream().map(Line::role).collect(Collectors.toCollection(TreeSet::new));
        List<String> violations = new ArrayList<>();
        for (String role : roles) {
            if (!role.isEmpty() || roles.size() == 1) {
                violations.addAll(violationsOfOne(about(role, lines)));
            }
        }
        return violations;
    }

    /** The lines about this role, and those about processes. */
    public static List<Line> about(String role, List<Line> lines) {
        return lines.stream()
                .filter(line -> line.role().isEmpty() || line.role().equals(role))
                .toList();
    }

    private static List<String> violationsOfOne(List<Line> lines) {
        History history = new History(lines);
        history.byProcess.values().forEach(history::checkOrderOfEvents);
        history.checkTokensGrow();
        history.checkNeverTwoLead();
        history.byProcess.forEach(history::checkNobodyLeadsOnceNotifiedOtherwise);
        history.byProcess.values().forEach(history::checkWorkEndsBeforeAHandover);
        return history.violations;
    }

    private void violated(String what, Object... about) {
        StringBuilder text = new StringBuilder(what);
        for (Object one : about) {
            text.append("\n    ").append(one);
        }
        violations.add(text.toString());
    }

    /** Each term is acquired, then revoked, fenced, or the one and then the other. */
    private void checkOrderOfEvents(List<Line> lines) {
        Line before = null;
        for (Line event :
                lines.stream().filter(line -> EVENTS.contains(line.kind())).toList()) {
            boolean sameTerm = before != null && before.text("token").equals(event.text("token"));
            boolean legal =
                    switch (event.kind()) {
                        case ACQUIRED -> before == null || (!sameTerm && before.kind() != Kind.ACQUIRED);
                        case REVOKED -> sameTerm && before.kind() == Kind.ACQUIRED;
                        default -> sameTerm && before.kind() != Kind.FENCED;
                    };
            if (!legal) {
                violated("An event out of order", before == null ? "nothing before it" : before, event);
            }
            before = event;
        }
    }

    /**
     * All acquisitions, by time, except those whose listener was notified only after the term, because its process was
     * stopped: their time proves nothing.
     */
    private List<Line> acquisitions() {
        return byProcess.values().stream()
                .flatMap(List::stream)
                .filter(line -> line.kind() == Kind.ACQUIRED && line.flag("valid"))
                .sorted(Comparator.comparingLong(Line::nanos))
                .toList();
    }

    private void checkTokensGrow() {
        Line before = null;
        for (Line acquired : acquisitions()) {
            if (before != null && acquired.number("token") <= before.number("token")) {
                violated("A token that is not larger than the one before", before, acquired);
            }
            before = acquired;
        }
    }

    private void checkNeverTwoLead() {
        List<Leading> spans = new ArrayList<>();
        byProcess.forEach((process, lines) -> spans.addAll(Leading.of(process, lines)));
        spans.sort(Comparator.comparingLong(Leading::from));
        for (int i = 0; i < spans.size(); i++) {
            Leading span = spans.get(i);
            for (Leading later : spans.subList(i + 1, spans.size())) {
                boolean bothKnown = span.token() > 0 && later.token() > 0;
                if (!span.process().equals(later.process()) && span.overlaps(later)) {
                    violated("Two leaders", span, later);
                } else if (bothKnown && span.process().equals(later.process()) && later.token() == span.token()) {
                    violated("A term that was over has come back", span, later);
                } else if (bothKnown && later.token() <= span.token()) {
                    violated("A later leader with a token that is not larger", span, later);
                }
            }
        }
    }

    /** When a listener is notified that a term is over, {@code isLeader()} has been false for a while. */
    private void checkNobodyLeadsOnceNotifiedOtherwise(String process, List<Line> lines) {
        for (Leading span : Leading.of(process, lines)) {
            lines.stream()
                    .filter(line -> line.kind() == Kind.REVOKED || line.kind() == Kind.FENCED)
                    .filter(line -> line.number("token") == span.token() && line.nanos() < span.to())
                    .forEach(line -> violated("It leads after it was notified that it does not", line, span));
        }
    }

    /** If a term was handed over and not fenced, nobody else acquires before its work has ended. */
    private void checkWorkEndsBeforeAHandover(List<Line> lines) {
        Set<String> revoked = tokens(lines, Kind.REVOKED);
        revoked.removeAll(tokens(lines, Kind.FENCED));
        for (String token : revoked) {
            Optional<Line> next = acquisitions().stream()
                    .filter(acquired -> acquired.number("token") > Long.parseLong(token))
                    .findFirst();
            lines.stream()
                    .filter(line -> line.kind() == Kind.WORK_ENDED || line.kind() == Kind.BUMPED)
                    .filter(line -> line.text("token").equals(token))
                    .filter(line -> next.isPresent() && next.get().nanos() < line.nanos())
                    .forEach(line ->
                            violated("Work that was still running when the next leader acquired", next.get(), line));
        }
    }

    private static Set<String> tokens(List<Line> lines, Kind kind) {
        return lines.stream()
                .filter(line -> line.kind() == kind)
                .map(line -> line.text("token"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
