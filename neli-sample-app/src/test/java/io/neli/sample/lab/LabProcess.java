package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The lab, started as in the README's first command, and what its page shows. */
final class LabProcess implements AutoCloseable {

    static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Path JAR = Path.of("target", "neli-sample-app.jar").toAbsolutePath();
    private static final JsonMapper json = new JsonMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final Path output;
    private final URI address;
    private final Path directory;

    private LabProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
        this.address = URI.create(awaitOutput("The lab is at (http://localhost:\\d+)"));
        this.directory = Path.of(awaitOutput("Logs are in ([^;]+);"));
    }

    static LabProcess start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("neli-lab", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new LabProcess(process, output);
    }

    private String awaitOutput(String pattern) {
        return Awaitility.await(pattern)
                .atMost(LIMIT)
                .until(() -> Pattern.compile(pattern).matcher(output()), Matcher::find)
                .group(1);
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    URI address() {
        return address;
    }

    Path directory() {
        return directory;
    }

    /** Sends a command, which the lab must accept. */
    void accepts(String path) throws Exception {
        assertThat(send(path)).as(path).isEqualTo(204);
    }

    int send(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/" + path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .timeout(LIMIT)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** What the page shows now. */
    JsonNode view() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/view"))
                .timeout(LIMIT)
                .build();
        return json.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    JsonNode await(String what, Predicate<JsonNode> condition) {
        try {
            return Awaitility.await(what)
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(200))
                    .until(this::view, condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(ends(), e);
        }
    }

    /** What the lab has printed, and the last lines of the logs of its processes. They are deleted with the lab. */
    String ends() {
        String state = process.isAlive() ? "runs" : "has ended with code " + process.exitValue();
        try (Stream<Path> logs = Files.exists(directory) ? Files.list(directory) : Stream.empty()) {
            return logs.filter(Files::isRegularFile)
                    .map(log -> log + ":\n" + end(log))
                    .collect(Collectors.joining("\n", "The lab " + state + ":\n" + output() + "\n", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String end(Path log) {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - 3_000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until an instance other than these leads, and returns its name. */
    String awaitLeader(String... others) {
        return leader(await(
                "a leader other than " + List.of(others),
                view -> !leader(view).isEmpty() && !List.of(others).contains(leader(view))));
    }

    /**
     * Waits until one instance leads and all others are on standby, and returns the name of the leader at that moment.
     */
    String awaitLeaderAndStandbys() {
        return leader(await(
                "a leader, and all others on standby", view -> !leader(view).isEmpty() && areLeadingOrStandby(view)));
    }

    private static boolean areLeadingOrStandby(JsonNode view) {
        return view.path("instances")
                .valueStream()
                .map(LabProcess::state)
                .allMatch(List.of("leading", "standby")::contains);
    }

    /** The leader that is shown, or the empty string. */
    static String leader(JsonNode view) {
        return view.at("/headline/leader").asString();
    }

    void awaitState(String name, String state) {
        await(name + " " + state, view -> stateOf(view, name).equals(state));
    }

    static String stateOf(JsonNode view, String name) {
        return view.path("instances")
                .valueStream()
                .filter(instance -> instance.path("name").asString().equals(name))
                .map(LabProcess::state)
                .findFirst()
                .orElseThrow();
    }

    private static String state(JsonNode instance) {
        return instance.path("state").asString();
    }

    /** Waits for the end of the lab, and checks that none of its processes and files are left. */
    void assertLeavesNothing(Runnable end) throws Exception {
        List<ProcessHandle> processes = descendants();
        assertThat(processes).hasSizeGreaterThanOrEqualTo(4);
        assertThat(directory).isDirectory();

        end.run();
        awaitEnd();

        Awaitility.await("the end of all processes")
                .atMost(LIMIT)
                .until(() -> processes.stream().noneMatch(ProcessHandle::isAlive) && !Files.exists(directory));
    }

    /** All of its processes. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Sends SIGTERM, which has the same effect as Ctrl-C. */
    void stop() {
        process.toHandle().destroy();
    }

    void kill() {
        process.destroyForcibly();
    }

    int awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Kills the lab, which has a process that then deletes its directory, and kills all that is left after that. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> started = descendants();
        process.destroyForcibly();
        CompletableFuture.allOf(started.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        started.forEach(ProcessHandle::destroyForcibly);
        Files.deleteIfExists(output);
    }
}
