package io.neli.spring.autoconfigure.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.neli.spring.autoconfigure.metrics.ExportedSeries.SERIES;
import static io.neli.spring.autoconfigure.metrics.ExportedSeries.all;
import static org.assertj.core.api.Assertions.assertThat;

/** The meters, the page that documents them and the dashboard agree. */
class MetricsDocumentationTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final ExportedSeries exported = new ExportedSeries();
    private String page;

    /** A row of the page's table of meters. */
    private record Row(String meter, Set<String> series, Set<String> tags) {}

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(DOCS.resolve("metrics.md"));
    }

    /** The cells of each table row whose first cell begins with this. */
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
        return exported.registry().getMeters().stream()
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
        return exported.registry().getMeters().stream()
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
        assertThat(all(SERIES, page)).isEqualTo(exported.names());
        assertThat(documented()).allSatisfy(row -> {
            assertThat(row.series())
                    .isNotEmpty()
                    .allMatch(each -> each.startsWith(row.meter().replace('.', '_')));
            assertThat(row.series()).allSatisfy(each -> {
                Set<String> labels = new TreeSet<>(exported.labelsOf(each));
                labels.remove("group");
                assertThat(labels)
                        .isEqualTo(row.tags().stream()
                                .map(tag -> tag.replace('.', '_'))
                                .collect(Collectors.toSet()));
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

    /** The code words of a cell without settings, which contain a dot. */
    private static Set<String> words(String cell) {
        return all(CODE, cell).stream().filter(word -> !word.contains(".")).collect(Collectors.toSet());
    }

    @Test
    void the_dashboard_queries_existing_series_and_leaves_no_meter_out() throws IOException {
        DocumentContext dashboard =
                JsonPath.parse(Files.readString(DOCS.resolve("grafana").resolve("neli.json")));
        List<String> expressions = dashboard.read("$.panels[*].targets[*].expr");
        List<String> variables = dashboard.read("$.templating.list[?(@.type == 'query')].definition");
        assertThat(expressions).hasSizeGreaterThan(5).allSatisfy(exported::assertKnown);
        assertThat(variables).hasSize(2).allSatisfy(exported::assertKnown);

        Set<String> used = all(SERIES, String.join("\n", expressions));
        assertThat(documented()).allSatisfy(row -> assertThat(row.series()).anyMatch(used::contains));
    }

    @Test
    void the_legends_of_the_dashboard_name_labels_that_their_expressions_keep() throws IOException {
        List<Map<String, String>> targets = JsonPath.parse(
                        Files.readString(DOCS.resolve("grafana").resolve("neli.json")))
                .read("$.panels[*].targets[*]");
        assertThat(targets).allSatisfy(target -> {
            Set<String> kept = exported.keptBy(target.get("expr"));
            Set<String> named = all(Pattern.compile("\\{\\{(\\w+)\\}\\}"), target.get("legendFormat"));
            assertThat(kept).containsAll(named);
            assertThat(named)
                    .as("groups are not mixed: their roles and partitions have the same names")
                    .contains("group");
        });
    }
}
