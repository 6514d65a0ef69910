package io.neli.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Formats outcomes for humans. */
final class Summary {

    private static final double MEDIAN = 0.5;
    private static final double RARE = 0.99;

    private Summary() {}

    /** One outcome on one line. */
    static String line(Outcome outcome) {
        StringBuilder text = new StringBuilder();
        if (outcome.isRound()) {
            text.append(String.format(
                    "end of %s: %d increments, %d late; %d writes, %d stale; grown: %d threads, %d descriptors, %,d bytes",
                    outcome.text(),
                    outcome.bumps(),
                    outcome.lateWrites(),
                    outcome.writes(),
                    outcome.staleWrites(),
                    outcome.moreThreads(),
                    outcome.moreDescriptors(),
                    outcome.moreHeap()));
        } else {
            text.append(String.format(
                    "seed %d %s: %,d ms, %d elections, %d fences, without a leader %s ms, recovered after %,.0f ms",
                    outcome.seed(),
                    outcome.text(),
                    outcome.millis(),
                    outcome.elections(),
                    outcome.fences(),
                    outcome.failovers().stream().map(Math::round).toList(),
                    outcome.recoveryMillis()));
        }
        if (!outcome.obstacle().isEmpty()) {
            text.append("\n  not done: ").append(outcome.obstacle());
        }
        outcome.violations().forEach(violation -> text.append("\n  VIOLATION ")
                .append(violation.kind())
                .append(": ")
                .append(violation.text()));
        outcome.relaxed().forEach(violation -> text.append("\n  may happen ")
                .append(violation.kind())
                .append(": ")
                .append(violation.text()));
        return text.toString();
    }

    /** Writes a summary of all outcomes to a Markdown file. */
    static void write(Path file, Map<Arrangement, List<Outcome>> outcomes) {
        StringBuilder text = new StringBuilder("# Faults on a real cluster\n");
        outcomes.forEach((arrangement, all) -> text.append(section(arrangement, all)));
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The figures of one arrangement. */
    static String section(Arrangement arrangement, List<Outcome> outcomes) {
        List<Outcome> seeds =
                outcomes.stream().filter(outcome -> !outcome.isRound()).toList();
        List<Outcome> rounds = outcomes.stream().filter(Outcome::isRound).toList();
        List<Double> failovers = new ArrayList<>();
        seeds.forEach(outcome -> failovers.addAll(outcome.failovers()));
        StringBuilder text = new StringBuilder();
        text.append("\n## ").append(heading(arrangement)).append("\n\n");
        text.append("| | |\n|---|---|\n");
        row(text, "seeds", seeds.size());
        row(
                text,
                "of them with two faults",
                seeds.stream().filter(outcome -> outcome.faults().size() > 1).count());
        row(
                text,
                "not done",
                seeds.stream().filter(outcome -> !outcome.obstacle().isEmpty()).count());
        row(text, "elections", seeds.stream().mapToLong(Outcome::elections).sum());
        row(text, "terms fenced", seeds.stream().mapToLong(Outcome::fences).sum());
        row(text, "without a leader, min / median / p99 / max ms", quantiles(failovers));
        row(
                text,
                "from the end of the faults to a leader, min / median / p99 / max ms",
                quantiles(seeds.stream().map(Outcome::recoveryMillis).toList()));
        row(text, "overlaps", count(outcomes, Violation.Kind.OVERLAP));
        row(text, "token regressions", count(outcomes, Violation.Kind.TOKEN));
        row(text, "lost effects", count(outcomes, Violation.Kind.EFFECT));
        row(text, "terms without exactly one end", count(outcomes, Violation.Kind.EVENTS));
        row(text, "no recovery", count(outcomes, Violation.Kind.NO_RECOVERY));
        row(text, "members that died", count(outcomes, Violation.Kind.DIED));
        row(text, "members that grew", count(outcomes, Violation.Kind.LEAK));
        row(
                text,
                "seeds with two leaders where guarantees.md allows it",
                seeds.stream().filter(outcome -> !outcome.relaxed().isEmpty()).count());
        row(
                text,
                "increments of the counter",
                rounds.stream().mapToLong(Outcome::bumps).sum());
        row(
                text,
                "writes to the register",
                rounds.stream().mapToLong(Outcome::writes).sum());
        row(
                text,
                "stale writes, all refused",
                rounds.stream().mapToLong(Outcome::staleWrites).sum());
        text.append("\n| fault | times | elections | fences | median ms without a leader | max |\n");
        text.append("|---|---|---|---|---|---|\n");
        byFault(seeds).forEach((fault, tally) -> text.append(tally.row(fault)));
        return text.toString();
    }

    private static String heading(Arrangement arrangement) {
        return switch (arrangement) {
            case REPLICATED -> "One replicated topic";
            case QUORUM -> "A quorum of three logs";
            case SPLIT -> "A quorum of three logs, whose brokers are separated";
        };
    }

    private static void row(StringBuilder text, String what, Object value) {
        text.append("| ").append(what).append(" | ").append(value).append(" |\n");
    }

    private static long count(List<Outcome> outcomes, Violation.Kind kind) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.violations().stream())
                .filter(violation -> violation.kind() == kind)
                .count();
    }

    private static String quantiles(List<Double> values) {
        if (values.isEmpty()) {
            return "none";
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return String.format(
                Locale.ROOT,
                "%,.0f / %,.0f / %,.0f / %,.0f",
                sorted.get(0),
                quantile(sorted, MEDIAN),
                quantile(sorted, RARE),
                sorted.get(sorted.size() - 1));
    }

    private static double quantile(List<Double> sorted, double part) {
        return sorted.get((int) Math.ceil(part * sorted.size()) - 1);
    }

    /** The results by kind, of single faults only: for a pair, it is not known which of the two had the effect. */
    private static Map<String, Tally> byFault(List<Outcome> seeds) {
        Map<String, Tally> tallies = new TreeMap<>();
        for (Outcome outcome : seeds) {
            String name = outcome.faults().size() == 1 ? outcome.faults().get(0) : "two faults";
            tallies.computeIfAbsent(name, key -> new Tally()).add(outcome);
        }
        return tallies;
    }

    private static final class Tally {

        private final List<Double> failovers = new ArrayList<>();
        private int times;
        private int elections;
        private int fences;

        private void add(Outcome outcome) {
            times++;
            elections += outcome.elections();
            fences += outcome.fences();
            failovers.addAll(outcome.failovers());
            Collections.sort(failovers);
        }

        private String row(String fault) {
            String gaps = failovers.isEmpty()
                    ? "- | -"
                    : String.format(
                            Locale.ROOT,
                            "%,.0f | %,.0f",
                            quantile(failovers, MEDIAN),
                            failovers.get(failovers.size() - 1));
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %s |%n",
                    fault.toLowerCase(Locale.ROOT).replace('_', ' '),
                    times,
                    elections,
                    fences,
                    gaps);
        }
    }
}
