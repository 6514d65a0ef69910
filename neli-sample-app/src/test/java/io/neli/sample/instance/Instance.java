package io.neli.sample.instance;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** A process that a user starts: the sample from the repackaged jar, or any other. */
final class Instance implements AutoCloseable {

    static final Path JAR = Path.of("target", "neli-sample-app.jar").toAbsolutePath();
    static final Duration LIMIT = Duration.ofMinutes(3);
    private static final JsonMapper JSON = new JsonMapper();

    private final Process process;
    private final Path output;

    private Instance(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts the sample with arguments; those that begin with {@code -D} are options of the JVM. */
    static Instance start(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        Arrays.stream(arguments).filter(Instance::isOption).forEach(command::add);
        command.addAll(List.of("-jar", JAR.toString(), "--neli.name=" + name));
        Arrays.stream(arguments).filter(Predicate.not(Instance::isOption)).forEach(command::add);
        return run(new ProcessBuilder(command));
    }

    /** Starts any other process. */
    static Instance run(ProcessBuilder builder) throws IOException {
        Path output = Files.createTempFile("neli-sample-", ".out");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Instance(process, output);
    }

    private static boolean isOption(String argument) {
        return argument.startsWith("-D");
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitOutput(String text) {
        await(text, () -> output().contains(text));
    }

    /** All complete lines, in order. */
    Stream<JsonNode> reports() {
        String output = output();
        return output.substring(0, output.lastIndexOf('\n') + 1).lines().map(JSON::readTree);
    }

    /** Waits for a report with these fields, {@code name=value}, and returns the first. */
    JsonNode awaitReport(String... fields) {
        await(String.join(", ", fields), () -> reportWith(fields).findAny().isPresent());
        return reportWith(fields).findFirst().orElseThrow();
    }

    private Stream<JsonNode> reportWith(String... fields) {
        return reports().filter(report -> Arrays.stream(fields)
                .map(field -> field.split("=", 2))
                .allMatch(field -> report.path(field[0]).asString("").equals(field[1])));
    }

    private void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(LIMIT).until(() -> {
            boolean alive = process.isAlive();
            boolean met = condition.call();
            assertThat(alive || met)
                    .as("alive, or has reported '%s', but printed\n%s", what, output())
                    .isTrue();
            return met;
        });
    }

    long pid() {
        return process.pid();
    }

    /** Writes a line to its standard input. */
    void send(String line) throws IOException {
        OutputStream in = process.getOutputStream();
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Ends its standard input. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Sends SIGTERM, which has the same effect as Ctrl-C. */
    void stop() {
        process.toHandle().destroy();
    }

    /** Sends {@code STOP} or {@code CONT}. Uses a shell, because a slim system has no other kill command. */
    void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).as("exit code of kill").isZero();
    }

    /** Waits for its end, and returns the exit code. */
    int awaitEnd() {
        Awaitility.await("its end").atMost(LIMIT).until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws IOException {
        process.toHandle().destroyForcibly();
        Files.deleteIfExists(output);
    }
}
