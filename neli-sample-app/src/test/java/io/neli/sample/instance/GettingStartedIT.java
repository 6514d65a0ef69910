package io.neli.sample.instance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.harness.Network;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Follows docs/getting-started.md from an empty directory. The commands are those of the page, except for the ports and
 * two things: Neli is not installed, because its jars are in a repository for this test; and {@code mvn} is the one of
 * this build, offline, because this build has already used all that the page's {@code pom.xml} needs.
 */
@Tag("proof")
@Timeout(1200)
@DisabledOnOs(OS.WINDOWS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GettingStartedIT {

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final List<String> LIBRARIES =
            List.of("neli-core", "neli-test", "neli-spring-boot-starter", "neli-spring-boot-starter-test");
    private static final String LEADS = "leading with token";

    @TempDir
    private static Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Instance> instances = new ArrayList<>();
    private GettingStartedPage page;
    private Queue<String> commands;
    private Instance broker;

    @BeforeAll
    void build() throws Exception {
        assumeThat(SpringBootVersion.getVersion())
                .as("the page has the newest line of Spring Boot")
                .doesNotStartWith("4.0.");
        page = GettingStartedPage.withPorts(Network.freePort(), Network.freePort(), Network.freePort());
        commands = new ArrayDeque<>(page.commands());

        assertThat(next()).isEqualTo("./mvnw -ntp -q install -DskipTests");
        provideLibraries();
        broker = run(next(), PROJECT);
        broker.awaitOutput("Kafka is at localhost:");
        page.writeFiles(application());
        build(application(), next());
    }

    @AfterEach
    void endInstances() throws IOException {
        for (Instance instance : instances) {
            instance.close();
        }
    }

    @AfterAll
    void endBroker() throws IOException {
        if (broker != null) {
            broker.stop();
            assertThat(broker.awaitEnd()).isEqualTo(143);
            broker.close();
        }
    }

    @Test
    void each_command_of_the_page_does_what_it_says() throws Exception {
        String startAlice = next();
        Instance alice = start(startAlice);
        alice.awaitOutput("settling with token");
        String startBob = next();
        Instance bob = start(startBob);
        String ask = next();
        await("what bob says of alice")
                .atMost(Instance.LIMIT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(fields(request(ask)))
                        .contains("\"name\":\"bob\"", "\"leader\":\"alice\"")
                        .isEqualTo(fields(page.outputs().get(1))));
        assertThat(page.outputs().get(0).lines())
                .allSatisfy(line -> assertThat(masked(alice.output())).contains(masked(line)));
        assertThat(bob.output()).doesNotContain(LEADS);

        assertThat(alice.output().lines().filter(line -> line.contains(" --- ")).findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains("PID " + alice.pid() + " "));
        Instance kill = run(next().replace("12345", Long.toString(alice.pid())), directory);
        assertThat(kill.awaitEnd()).isZero();
        bob.awaitOutput(LEADS);

        Instance aliceAgain = start(startAlice);
        aliceAgain.awaitOutput("Started BillingApplication");
        bob.stop();
        aliceAgain.awaitOutput(LEADS);
        assertThat(bob.awaitEnd()).isEqualTo(143);
        assertThat(bob.output()).contains("handing over, CLOSING");

        Instance bobAgain = start(startBob);
        bobAgain.awaitOutput("Started BillingApplication");
        assertThat(request(next())).isEmpty();
        bobAgain.awaitOutput(LEADS);
        assertThat(aliceAgain.output()).contains("handing over, RESIGNED");

        Instance carol = start(next());
        carol.awaitOutput("Started BillingApplication");
        bobAgain.stop();
        aliceAgain.stop();
        carol.awaitOutput(LEADS);
        assertThat(commands).as("commands that were not run").isEmpty();
    }

    /** Unlike the page's application, it has no scheduler whose threads would keep it running. */
    @Test
    void a_standby_with_nothing_else_to_do_keeps_running_and_takes_over() throws Exception {
        Path worker = directory.resolve("worker");
        FileSystemUtils.copyRecursively(application(), worker);
        Path main = worker.resolve("src/main/java/com/example/billing/BillingApplication.java");
        Files.writeString(main, Files.readString(main).replace("@EnableScheduling\n", ""));
        build(worker, "mvn -q package -DskipTests");
        String start = "java -jar ../worker/target/billing-1.0.jar --spring.main.web-application-type=none"
                + " --spring.application.name=worker --neli.name=";

        Instance dave = start(start + "dave");
        dave.awaitOutput(LEADS);
        Instance erin = start(start + "erin");
        erin.awaitOutput("Started BillingApplication");
        dave.signal("KILL");
        erin.awaitOutput(LEADS);

        erin.stop();
        assertThat(erin.awaitEnd()).as("it ran until it was stopped").isEqualTo(143);
        assertThat(erin.output()).contains("handing over, CLOSING");
    }

    private static Path application() {
        return directory.resolve("application");
    }

    private static Path repository() {
        return directory.resolve("repository");
    }

    private String next() {
        return commands.remove();
    }

    /** Puts into a repository what {@code mvn install} would. */
    private static void provideLibraries() throws IOException {
        provide("neli-parent", PROJECT.resolve("pom.xml"), "pom");
        for (String library : LIBRARIES) {
            provide(library, PROJECT.resolve(library).resolve("pom.xml"), "pom");
            provide(library, PROJECT.resolve(library).resolve("target/" + library + "-" + VERSION + ".jar"), "jar");
        }
    }

    private static void provide(String artifact, Path file, String extension) throws IOException {
        Path target = repository().resolve("io/neli").resolve(artifact).resolve(VERSION);
        Files.createDirectories(target);
        Files.copy(file, target.resolve(artifact + "-" + VERSION + "." + extension));
    }

    private static void build(Path application, String command) throws IOException {
        String options = " -o -B -Dmaven.repo.local=" + repository() + " -Dmaven.repo.local.tail="
                + System.getProperty("localRepository");
        try (Instance maven = run(command.replaceFirst("^mvn", "sh " + PROJECT + "/mvnw") + options, application)) {
            assertThat(maven.awaitEnd()).as(maven::output).isZero();
        }
    }

    private Instance start(String command) throws IOException {
        Instance instance = run(command, application());
        instances.add(instance);
        return instance;
    }

    /** Runs the command in a shell, which the program replaces, so that it receives signals. */
    private static Instance run(String command, Path directory) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + command).directory(directory.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .merge("PATH", System.getProperty("java.home") + "/bin", (path, java) -> java + ":" + path);
        builder.environment().put("JDK_JAVA_OPTIONS", "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        builder.environment().put("NELI_LEASEDURATION", "10s"); // longer than a busy machine stalls for
        return Instance.run(builder);
    }

    /** Sends a request as curl would. */
    private String request(String curl) throws Exception {
        String url = Stream.of(curl.split(" "))
                .filter(part -> part.contains("/actuator/"))
                .findFirst()
                .orElseThrow();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + url));
        if (curl.contains("-X POST")) {
            assertThat(curl).contains("-H 'Content-Type: application/json'");
            request.header("Content-Type", "application/json").POST(BodyPublishers.noBody());
        }
        var response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(curl).isBetween(200, 299);
        return response.body();
    }

    private static Set<String> fields(String json) {
        return Pattern.compile("\"\\w+\":(\"(bob|alice)\")?")
                .matcher(json)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    /** The output without the token. */
    private static String masked(String printed) {
        return printed.replaceAll("(?<=token )\\d+", "N");
    }
}
