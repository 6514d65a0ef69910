package io.neli.sample.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The lab as the README's first command starts it, and what its page is told. */
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
        command.addAll(List.of("-jar", JAR.toString()));
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

    /** Presses a button; the status that it is answered with. */
    int press(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/" + path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .timeout(LIMIT)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** What a page that connects now is told, as one object by kind of event. */
    JsonNode present() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/events"))
                .timeout(LIMIT)
                .build();
        Map<String, JsonNode> events = new HashMap<>();
        try (Stream<String> lines =
                http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
            String kind = "";
            for (String line : (Iterable<String>) lines::iterator) {
                if (line.startsWith("event: ")) {
                    kind = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    events.put(kind, json.readTree(line.substring("data: ".length())));
                }
                if (events.keySet().containsAll(List.of("lab", "history", "ledger"))) {
                    break;
                }
            }
        }
        return json.valueToTree(events);
    }

    JsonNode await(String what, Predicate<JsonNode> condition) {
        return Awaitility.await(what)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .until(this::present, condition);
    }

    /** Waits until an instance that runs leads the ledger, and returns its name. */
    String awaitLeader(String... others) {
        return leader(await(
                "a leader but " + List.of(others),
                present -> !leader(present).isEmpty() && !List.of(others).contains(leader(present))));
    }

    private static String leader(JsonNode present) {
        for (JsonNode instance : present.at("/lab/instances")) {
            boolean leads = instance.at("/roles/0/state").asString("").equals("LEADING");
            if (leads
                    && instance.path("process").asString("").equals("RUNNING")
                    && !instance.path("cut").asBoolean()) {
                return instance.path("name").asString("");
            }
        }
        return "";
    }

    void awaitAllRunning() {
        await("all running", present -> present.at("/lab/instances")
                .valueStream()
                .allMatch(instance -> instance.path("status").asString("").equals("RUNNING")));
    }

    static JsonNode instance(JsonNode present, String name) {
        return present.at("/lab/instances")
                .valueStream()
                .filter(instance -> instance.path("name").asString("").equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** All of its processes. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** SIGTERM, as Ctrl-C is answered. */
    void stop() {
        process.toHandle().destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    int awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Leaves nothing behind. */
    @Override
    public void close() throws IOException {
        descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(output);
    }
}
