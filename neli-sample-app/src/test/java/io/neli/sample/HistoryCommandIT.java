package io.neli.sample;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.neli.Neli;
import io.neli.cluster.BrokerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HistoryCommandIT {

    private static final Path JAR = Path.of("target", "neli-sample-app.jar");

    @TempDir
    private Path directory;

    /** Runs the jar as a user does, and returns what it prints. */
    private List<String> print(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }

    @Test
    void it_prints_who_led_the_partition_of_a_group() throws Exception {
        List<String> lines;
        try (BrokerProcess broker = BrokerProcess.start(settings -> {})) {
            String servers = broker.address();
            lead(servers, "alice");
            lead(servers, "bob");
            Path client = Files.writeString(directory.resolve("client.properties"), "security.protocol=PLAINTEXT\n");
            lines = print(
                    "--history",
                    "--bootstrap=" + servers,
                    "--group=billing",
                    "--partition=1",
                    "--since=1h",
                    "--config=" + client);
        }

        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("acquired").contains("how it ended");
        assertThat(lines.get(1)).contains("alice", "HANDED_OVER", "bob", "{url=http://alice}");
        assertThat(lines.get(2)).contains("bob", "HANDED_OVER", "{url=http://bob}");
    }

    private static void lead(String servers, String name) throws InterruptedException {
        try (Neli member = Neli.builder()
                .kafka(Map.of("bootstrap.servers", servers))
                .groupId("billing")
                .name(name)
                .roles("invoices", "mail")
                .metadata(Map.of("url", "http://" + name))
                .leaseDuration(Duration.ofMinutes(5)) // so long that no load ends the term
                .start()) {
            assertThat(member.awaitLeadership("mail", Duration.ofMinutes(2))).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--histroy", "--history=billing", "--partition=all", "--group=", "--bootstrap=localhost:9092"})
    void a_wrong_or_missing_argument_is_refused_with_what_can_be_used(String argument) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        assertThatThrownBy(() -> HistoryCommand.print(new PrintStream(printed), "--history", argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--history --bootstrap=host:9092 --group=billing");
        assertThat(printed.size()).isZero();
    }
}
