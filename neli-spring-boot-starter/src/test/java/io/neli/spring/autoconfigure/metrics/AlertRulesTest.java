package io.neli.spring.autoconfigure.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/** The alerts use meters that exist, and the page on operations describes what to do about each alert. */
class AlertRulesTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Path RULES = DOCS.resolve("prometheus");
    private static final long LIMIT_SECONDS = 60;

    private final ExportedSeries exported = new ExportedSeries();
    private List<Map<String, Object>> rules;

    @BeforeEach
    void read() throws IOException {
        rules = JsonPath.read(yaml("alerts.yml"), "$.groups[*].rules[*]");
    }

    private static Object yaml(String file) throws IOException {
        return new Yaml().load(Files.readString(RULES.resolve(file)));
    }

    private static String expression(Map<String, Object> rule) {
        return rule.get("expr").toString();
    }

    private Set<String> names() {
        return rules.stream().map(rule -> rule.get("alert").toString()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void every_alert_queries_existing_series_labels_and_reasons() {
        assertThat(rules).hasSizeGreaterThan(5).allSatisfy(rule -> exported.assertKnown(expression(rule)));
    }

    @Test
    void every_alert_names_only_labels_that_its_expression_keeps() {
        Pattern label = Pattern.compile("\\$labels\\.(\\w+)");
        assertThat(rules).allSatisfy(rule -> assertThat(exported.keptBy(expression(rule)))
                .containsAll(ExportedSeries.all(label, rule.get("annotations").toString())));
    }

    @Test
    void the_page_says_what_to_do_about_every_alert_and_no_other() throws IOException {
        String page = Files.readString(DOCS.resolve("operations.md"));
        assertThat(ExportedSeries.all(Pattern.compile("(?m)^\\| `(Neli\\w+)` \\|"), page))
                .isEqualTo(names());
    }

    @Test
    void every_alert_is_tested() throws IOException {
        List<String> tested = JsonPath.read(yaml("alerts-test.yml"), "$.tests[*].alert_rule_test[*].alertname");
        assertThat(new TreeSet<>(tested)).isEqualTo(names());
    }

    @Needs(Program.PROMTOOL)
    @Test
    void the_alerts_fire_when_they_should_and_only_then(@TempDir Path directory) throws Exception {
        Path output = directory.resolve("promtool.log");
        Process promtool = new ProcessBuilder(Program.PROMTOOL.path().toString(), "test", "rules", "alerts-test.yml")
                .directory(RULES.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = promtool.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        promtool.destroyForcibly();
        assertThat(ended).as("promtool has ended").isTrue();
        assertThat(promtool.exitValue()).as(Files.readString(output)).isZero();
    }
}
