package io.neli.spring.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The BOM has no parent, so only this test keeps it up to date. */
class BomTest {

    private static final String BOM = "neli-bom";
    private static final String VERSION = "\n  <version>(.*?)</version>";

    @Test
    void the_bom_manages_each_published_module_in_the_version_of_the_project() {
        List<String> published = find("<module>(neli-.*?)</module>", "").stream()
                .filter(module -> !module.equals(BOM))
                .filter(module -> !pom(module).contains("<maven.deploy.skip>true<"))
                .toList();
        assertThat(find("<artifactId>(.*?)</artifactId>\n        <version>\\$\\{project.version}<", BOM))
                .hasSize(5)
                .containsExactlyElementsOf(published);
        assertThat(find(VERSION, BOM)).isEqualTo(find(VERSION, "")).hasSize(1);
    }

    private static List<String> find(String pattern, String module) {
        return Pattern.compile(pattern)
                .matcher(pom(module))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String pom(String module) {
        return String.join("\n", CodeBlock.lines(Path.of(module, "pom.xml")));
    }
}
