package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Neli;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import io.neli.spring.Snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/** The series that Prometheus scrapes from a member, with their labels. */
final class ExportedSeries {

    static final Pattern SERIES = Pattern.compile("neli_\\w+");

    /** The label that all series have, and the one that Prometheus adds. */
    static final Set<String> LABELS_OF_ALL = Set.of("group", "instance");

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(neli_\\w+)\\{([^}]*)\\}");
    private static final Pattern LITERAL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Labels whose values Neli defines, and not the application. */
    private static final Set<String> LABELS_WITH_FIXED_VALUES = Set.of("event", "reason", "outcome");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, Set<String>> labels = new TreeMap<>();
    private final Map<String, Set<String>> values = new TreeMap<>();

    /** Scrapes a leader. */
    ExportedSeries() {
        Neli neli = mock(Neli.class);
        when(neli.snapshot()).thenReturn(Snapshots.leading(Duration.ofMinutes(1), Duration.ofSeconds(2)));
        when(neli.isLeader("invoices")).thenReturn(true);
        NeliMeterBinder binder = new NeliMeterBinder(() -> neli);
        binder.bindTo(registry);
        binder.changed(new LeaderAcquired("invoices", 0, 1)); // creates the meters of the jobs
        binder.runEnded("close books", RunOutcome.SUCCEEDED, RunKind.ON_TIME, Duration.ofMillis(1));
        matches(SAMPLE, registry.scrape()).forEach(sample -> {
            labels.putIfAbsent(sample.group(1), labels(sample.group(2)));
            matches(LITERAL, sample.group(2))
                    .forEach(label -> values.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                            .add(label.group(2)));
        });
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    Set<String> names() {
        return labels.keySet();
    }

    Set<String> labelsOf(String series) {
        return labels.get(series);
    }

    /** All labels of the series in the expression, including those that Prometheus adds. */
    Set<String> labelsIn(String expression) {
        Set<String> all = new TreeSet<>(LABELS_OF_ALL);
        all(SERIES, expression).forEach(each -> all.addAll(labels.get(each)));
        return all;
    }

    /** Asserts that the expression uses only series, labels and label values that exist. */
    void assertKnown(String expression) {
        assertThat(names()).containsAll(all(SERIES, expression));
        Set<String> known = labelsIn(expression);
        matches(Pattern.compile("\\{([^}]*)\\}"), expression).forEach(matchers -> {
            assertThat(known).containsAll(labels(matchers.group(1)));
            matches(LITERAL, matchers.group(1))
                    .filter(matcher -> LABELS_WITH_FIXED_VALUES.contains(matcher.group(1)))
                    .forEach(matcher -> assertThat(values.get(matcher.group(1))).contains(matcher.group(2)));
        });
        matches(Pattern.compile("by \\(([^)]*)\\)"), expression)
                .forEach(by -> assertThat(known).contains(by.group(1).split(", ")));
    }

    /** The labels that the result of an expression has. */
    Set<String> keptBy(String expression) {
        Set<String> kept = matches(Pattern.compile("by \\(([^)]*)\\)"), expression)
                .flatMap(by -> Stream.of(by.group(1).split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
        return kept.isEmpty() ? labelsIn(expression) : kept;
    }

    /** The names in {@code role="invoices",outcome="executed"}. */
    private static Set<String> labels(String matchers) {
        return all(Pattern.compile("(\\w+)[=!]"), matchers);
    }

    static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    /** All matches of the pattern's last group. */
    static Set<String> all(Pattern pattern, String text) {
        return matches(pattern, text)
                .map(match -> match.group(match.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
