package io.neli.spring.autoconfigure.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.neli.Neli;
import io.neli.spring.Snapshots;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/** The meters, their page and the dashboard tell of the same. */
class MetricsDocumentationTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern SERIES = Pattern.compile("neli_\\w+");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(neli_\\w+)\\{([^}]*)\\}");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** What Prometheus knows a series by beside its own labels. */
    private static final Set<String> LABELS_OF_ALL = Set.of("group", "instance");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Map<String, Set<String>> exported;
    private String page;

    /** A row of the page's table of meters. */
    private record Row(String meter, Set<String> series, Set<String> tags) {}

    @BeforeEach
    void export() throws IOException {
        Neli neli = mock(Neli.class);
        when(neli.snapshot()).thenReturn(Snapshots.leading(Duration.ofMinutes(1), Duration.ofSeconds(2)));
        new NeliMeterBinder(() -> neli).bindTo(registry);
        exported = matches(SAMPLE, registry.scrape())
                .collect(Collectors.toMap(
                        sample -> sample.group(1),
                        sample -> labels(sample.group(2)),
                        (one, same) -> one,
                        TreeMap::new));
        page = Files.readString(DOCS.resolve("metrics.md"));
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static Set<String> all(Pattern pattern, String text) {
        return matches(pattern, text)
                .map(match -> match.group(match.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names in {@code role="invoices",outcome="executed"}. */
    private static Set<String> labels(String matchers) {
        return all(Pattern.compile("(\\w+)[=!]"), matchers);
    }

    /** The cells of the table rows whose first cell begins with that. */
    private List<String[]> rows(String beginning) {
        return page.lines()
                .filter(line -> line.startsWith("| " + beginning))
                .map(line -> line.split("\\|"))
                .toList();
    }

    private List<Row> documented() {
        return rows("`neli.").stream()
                .map(cells -> new Row(all(CODE, cells[1]).iterator().next(), all(CODE, cells[2]), all(CODE, cells[3])))
                .toList();
    }

    private Map<String, Set<String>> tagsOfMeters() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .collect(Collectors.toMap(
                        Meter.Id::getName,
                        id -> id.getTags().stream().map(Tag::getKey).collect(Collectors.toSet()),
                        (one, same) -> {
                            assertThat(one).isEqualTo(same);
                            return one;
                        }));
    }

    private Map<String, Set<String>> valuesByTag(String meter, String tag, String by) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().equals(meter))
                .collect(Collectors.groupingBy(
                        id -> id.getTag(tag), Collectors.mapping(id -> id.getTag(by), Collectors.toSet())));
    }

    @Test
    void the_page_lists_every_meter_with_its_tags_and_no_other() {
        Map<String, Set<String>> tags = new TreeMap<>();
        documented().forEach(row -> {
            Set<String> all = new TreeSet<>(row.tags());
            all.add("group");
            tags.put(row.meter(), all);
        });
        assertThat(tags).isEqualTo(tagsOfMeters());
    }

    @Test
    void the_page_names_every_series_as_prometheus_does_and_no_other() {
        assertThat(all(SERIES, page)).isEqualTo(exported.keySet());
        assertThat(documented()).allSatisfy(row -> {
            assertThat(row.series())
                    .isNotEmpty()
                    .allMatch(each -> each.startsWith(row.meter().replace('.', '_')));
            assertThat(row.series()).allSatisfy(each -> {
                Set<String> labels = new TreeSet<>(exported.get(each));
                labels.remove("group");
                assertThat(labels).isEqualTo(row.tags());
            });
        });
    }

    @Test
    void the_page_explains_every_event_reason_and_outcome_and_no_other() {
        Map<String, Set<String>> reasons = new TreeMap<>();
        for (String event : List.of("acquired", "revoked", "fenced")) {
            reasons.put(event, words(rows("`" + event + "`").get(0)[2]));
        }
        assertThat(reasons).isEqualTo(valuesByTag("neli.transitions", "event", "reason"));

        Set<String> outcomes = valuesByTag("neli.work", "outcome", "outcome").keySet();
        int table = page.indexOf("| `outcome` |");
        Set<String> explained = Arrays.stream(
                        page.substring(table, page.indexOf("\n\n", table)).split("\n"))
                .skip(2)
                .map(line -> all(CODE, line.split("\\|")[1]).iterator().next())
                .collect(Collectors.toSet());
        assertThat(explained).isEqualTo(outcomes);
    }

    /** Without settings, which have a dot. */
    private static Set<String> words(String cell) {
        return all(CODE, cell).stream().filter(word -> !word.contains(".")).collect(Collectors.toSet());
    }

    @Test
    void the_dashboard_asks_for_what_there_is_and_leaves_no_meter_out() throws IOException {
        DocumentContext dashboard =
                JsonPath.parse(Files.readString(DOCS.resolve("grafana").resolve("neli.json")));
        List<String> expressions = dashboard.read("$.panels[*].targets[*].expr");
        List<String> variables = dashboard.read("$.templating.list[?(@.type == 'query')].definition");
        assertThat(expressions).hasSizeGreaterThan(5).allSatisfy(this::assertKnown);
        assertThat(variables).hasSize(2).allSatisfy(this::assertKnown);

        Set<String> used = all(SERIES, String.join("\n", expressions));
        assertThat(documented()).allSatisfy(row -> assertThat(row.series()).anyMatch(used::contains));
    }

    private void assertKnown(String expression) {
        Set<String> series = all(SERIES, expression);
        assertThat(exported).containsKeys(series.toArray(String[]::new));
        Set<String> labels = new TreeSet<>(LABELS_OF_ALL);
        series.forEach(each -> labels.addAll(exported.get(each)));
        matches(Pattern.compile("\\{([^}]*)\\}"), expression)
                .forEach(matchers -> assertThat(labels).containsAll(labels(matchers.group(1))));
        matches(Pattern.compile("by \\(([^)]*)\\)"), expression)
                .forEach(by -> assertThat(labels).contains(by.group(1).split(", ")));
    }

    @Test
    void the_legends_of_the_dashboard_name_labels_that_their_expressions_keep() throws IOException {
        List<Map<String, String>> targets = JsonPath.parse(
                        Files.readString(DOCS.resolve("grafana").resolve("neli.json")))
                .read("$.panels[*].targets[*]");
        Pattern by = Pattern.compile("by \\(([^)]*)\\)");
        assertThat(targets).allSatisfy(target -> {
            Set<String> kept = new TreeSet<>();
            matches(by, target.get("expr"))
                    .forEach(match -> kept.addAll(List.of(match.group(1).split(", "))));
            if (kept.isEmpty()) {
                kept.addAll(LABELS_OF_ALL);
                all(SERIES, target.get("expr")).forEach(each -> kept.addAll(exported.get(each)));
            }
            Set<String> named = all(Pattern.compile("\\{\\{(\\w+)\\}\\}"), target.get("legendFormat"));
            assertThat(kept).containsAll(named);
            assertThat(named)
                    .as("groups are not mixed: their roles and partitions have the same names")
                    .contains("group");
        });
    }
}
