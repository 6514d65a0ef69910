package io.neli.spring.docs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.programs.Program;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What is not run by {@link DocumentedCommandsIT} or by the tests of a broker that enforces rights exists at least. */
class ShellCommandTest {

    /** As far as they differ from those on its own pages. */
    private static final String SETTINGS_OF_KAFKA =
            """
            process.roles=broker,controller
            node.id=1
            controller.quorum.bootstrap.servers=localhost:9093
            controller.listener.names=CONTROLLER
            listeners=PLAINTEXT://:9092,CONTROLLER://:9093
            log.dirs=%s
            """;

    private static final String FORMAT = "bin/kafka-storage.sh format ";

    private static final String INSTALLATION = "sudo apt-get install " + String.join(" ", Program.packages());

    private static final Set<String> OWN_SCRIPTS =
            Set.of("./mvnw", "bench/faults", "bench/figures", "release/same-bytes");

    @Test
    void every_command_is_one_of_those_that_are_tried() {
        assertThat(ShellCommand.all())
                .hasSizeGreaterThan(8)
                .allMatch(command -> KafkaTools.has(command)
                        || command.isAboutRights()
                        || Set.of("curl", "java", "mvn").contains(command.program())
                        || isKafka(command)
                        || command.text().equals(INSTALLATION)
                        || OWN_SCRIPTS.contains(command.program()));
    }

    /** How a reader gets a broker. */
    private static boolean isKafka(ShellCommand command) {
        return command.text().equals("docker run -p 9092:9092 apache/kafka:" + AppInfoParser.getVersion())
                || command.text().startsWith(FORMAT)
                || command.text().equals("bin/kafka-server-start.sh config/server.properties");
    }

    @Test
    void what_installs_the_programs_of_tests_is_shown() {
        assertThat(ShellCommand.all()).extracting(ShellCommand::text).contains(INSTALLATION);
    }

    @Test
    void kafka_is_formatted_as_on_the_page(@TempDir Path directory) throws IOException {
        Path settings = Files.writeString(
                directory.resolve("server.properties"), SETTINGS_OF_KAFKA.formatted(directory.resolve("data")));
        List<String> format = ShellCommand.all()
                .map(ShellCommand::text)
                .filter(text -> text.startsWith(FORMAT))
                .toList();
        assertThat(format).hasSize(1);
        String[] arguments = format.get(0)
                .replaceFirst("\\S+ ", "")
                .replace("config/server.properties", settings.toString())
                .split(" ");
        assertThat(StorageTool.execute(arguments, new PrintStream(OutputStream.nullOutputStream())))
                .isZero();
        assertThat(directory.resolve("data").resolve("meta.properties")).exists();
    }

    /** A program that these hide would not be looked at. */
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
                .filteredOn(command -> command.program().equals("java")
                        && !command.block().page().equals(GettingStarted.PAGE))
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
