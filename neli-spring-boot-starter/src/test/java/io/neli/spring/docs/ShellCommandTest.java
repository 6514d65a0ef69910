package io.neli.spring.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is not run by {@link DocumentedCommandsIT} exists at least. */
class ShellCommandTest {

    /** Its commands are run by the tests of a broker that enforces rights. */
    private static final Path SECURITY = Path.of("docs", "security.md");

    private static final Set<String> OWN_SCRIPTS = Set.of("./mvnw", "bench/figures", "release/same-bytes");

    @Test
    void every_command_is_one_of_those_that_are_tried() {
        assertThat(ShellCommand.all())
                .filteredOn(command -> !command.block().page().equals(SECURITY))
                .hasSizeGreaterThan(8)
                .allMatch(command -> KafkaTools.has(command)
                        || Set.of("curl", "java").contains(command.program())
                        || OWN_SCRIPTS.contains(command.program()));
    }

    @Test
    void a_script_of_the_project_is_there_and_so_is_what_it_is_told_to_build() {
        assertThat(ShellCommand.all())
                .filteredOn(command -> OWN_SCRIPTS.contains(command.program()))
                .allSatisfy(command -> {
                    assertThat(CodeBlock.PROJECT.resolve(command.program())).isExecutable();
                    after("-pl ", command).ifPresent(modules -> assertThat(List.of(modules.split(",")))
                            .allSatisfy(module -> assertThat(CodeBlock.PROJECT.resolve(module))
                                    .isDirectory()));
                    after("-P", command).ifPresent(profile -> assertThat(CodeBlock.lines(Path.of("pom.xml")))
                            .anyMatch(line -> line.contains("<id>" + profile + "</id>")));
                });
    }

    private static Optional<String> after(String option, ShellCommand command) {
        Matcher found = Pattern.compile(option + "(\\S+)").matcher(command.text());
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
