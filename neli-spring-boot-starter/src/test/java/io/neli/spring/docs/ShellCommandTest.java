package io.neli.spring.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.programs.Program;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that no other test runs use programs and files that exist. {@link DocumentedCommandsIT}, the tests with a
 * broker that enforces rights, and the test of docs/getting-started.md in neli-sample-app run the others.
 */
class ShellCommandTest {

    private static final String INSTALLATION = "sudo apt-get install " + String.join(" ", Program.packages());

    private static final Set<String> OWN_SCRIPTS =
            Set.of("./mvnw", "bench/faults", "bench/figures", "release/same-bytes");

    @Test
    void every_command_is_one_of_those_that_are_tried() {
        assertThat(ShellCommand.all())
                .hasSizeGreaterThan(8)
                .allMatch(command -> KafkaTools.has(command)
                        || command.isAboutRights()
                        || command.block().page().equals(GettingStarted.PAGE)
                        || Set.of("curl", "java").contains(command.program())
                        || command.text().equals(INSTALLATION)
                        || OWN_SCRIPTS.contains(command.program()));
    }

    @Test
    void what_installs_the_programs_of_tests_is_shown() {
        assertThat(ShellCommand.all()).extracting(ShellCommand::text).contains(INSTALLATION);
    }

    /** These tests would not see a program behind other operators. */
    @Test
    void commands_are_combined_by_and_only() {
        assertThat(ShellCommand.all()).noneMatch(command -> command.text().matches(".*([|;<>`&]|\\$\\().*"));
    }

    @Test
    void a_jar_that_is_started_is_one_that_is_built() {
        String sample = "neli-sample-app";
        assertThat(CodeBlock.lines(Path.of(sample, "pom.xml")))
                .anyMatch(line -> line.contains("<finalName>" + sample + "</finalName>"));
        assertThat(ShellCommand.all())
                .filteredOn(command ->
                        command.program().equals("java") && !command.text().contains(" target/billing-1.0.jar"))
                .isNotEmpty()
                .allSatisfy(
                        command -> assertThat(after("-jar ", command)).contains(sample + "/target/" + sample + ".jar"));
    }

    @Test
    void a_script_of_the_project_exists_and_so_does_what_it_builds() {
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
