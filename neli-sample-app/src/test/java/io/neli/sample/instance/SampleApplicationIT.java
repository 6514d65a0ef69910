package io.neli.sample.instance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.neli.cluster.BrokerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The jar as a user starts it, and as the lab does; on a broker that is a process too. */
@Timeout(600)
class SampleApplicationIT {

    private static BrokerProcess broker;

    private final List<Instance> instances = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private String group;

    @TempDir
    private Path logs;

    @BeforeAll
    static void startBroker() {
        broker = BrokerProcess.start(settings -> {});
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    /** Each test has a group of its own on the broker. */
    @BeforeEach
    void nameGroup(TestInfo test) {
        group = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void endInstances() throws IOException {
        for (Instance instance : instances) {
            instance.close();
        }
    }

    @Test
    void the_job_moves_to_the_standby_when_the_leader_is_stopped() throws Exception {
        Instance alice = start("alice");
        alice.awaitOutput("wrote entry");
        Instance bob = start("bob");
        bob.awaitOutput("standing by, alice leads ledger");

        alice.stop();
        bob.awaitOutput("wrote entry");

        alice.awaitEnd();
        assertThat(alice.output()).contains("leading ledger with token", "handing over ledger, reason CLOSING");
        assertThat(token(bob)).isGreaterThan(token(alice));

        bob.stop();
        bob.awaitEnd();
        for (Instance instance : instances) {
            assertThat(instance.output().lines()).as("what the user sees").allMatch(line -> line.contains(" INFO "));
        }
    }

    @Test
    void it_leads_from_what_was_processed_ahead_of_time() throws Exception {
        Instance alice = start("alice", "-Dspring.aot.enabled=true");

        alice.awaitOutput("wrote entry");

        alice.stop();
        alice.awaitEnd();
        assertThat(alice.output())
                .contains("leading ledger with token", "handing over ledger, reason CLOSING")
                .doesNotContain(" WARN ", " ERROR ");
    }

    @Test
    void it_shows_its_health_and_its_metrics_and_lets_nobody_resign_it() throws Exception {
        Instance alice = start("alice");
        alice.awaitOutput("wrote entry");
        String actuator = find("http://localhost:\\d+/actuator", alice);

        assertThat(get(actuator + "/health").body()).contains("\"status\":\"UP\"", "\"leader\":\"alice\"");
        assertThat(get(actuator + "/prometheus").body())
                .containsPattern("neli_leader\\{group=\"" + group + "\",role=\"ledger\"} 1\\.0");
        assertThat(get(actuator + "/neli").body()).contains("\"state\":\"LEADING\"");
        assertThat(get(actuator + "/env").statusCode()).isEqualTo(404);
        HttpRequest resign = HttpRequest.newBuilder(URI.create(actuator + "/neli/resign"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(http.send(resign, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void it_resigns_at_a_word_and_ends_with_its_input() throws Exception {
        Instance alice = startInLab("alice");
        JsonNode first = alice.awaitReport("type=event", "event=ACQUIRED", "role=ledger");
        JsonNode begun = alice.awaitReport("type=write", "phase=BEGUN");
        assertThat(begun.get("token").asLong()).isEqualTo(first.get("token").asLong());
        Instance bob = startInLab("bob");
        bob.awaitReport("type=event", "event=ACQUIRED"); // its share

        alice.say("resign");

        alice.awaitReport("type=event", "event=REVOKED", "role=ledger", "reason=RESIGNED");
        JsonNode committed = bob.awaitReport("type=write", "phase=COMMITTED");
        assertThat(committed.get("token").asLong())
                .isGreaterThan(first.get("token").asLong());

        bob.endInput();
        assertThat(bob.awaitEnd()).isZero();
        bob.awaitReport("type=event", "event=REVOKED", "role=ledger", "reason=CLOSING");
        List<String> phases = phases(bob).toList();
        assertThat(phases)
                .as("writes under way are finished before the end")
                .containsOnly("BEGUN", "COMMITTED")
                .endsWith("COMMITTED");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_write_that_a_frozen_leader_goes_on_with_is_refused() throws Exception {
        Instance alice = startInLab("alice", "--sample.work-time=3s"); // so that it is surely frozen at work
        alice.awaitReport("type=write", "phase=BEGUN");
        Instance bob = startInLab("bob");
        bob.awaitReport("type=event", "event=ACQUIRED"); // so it is there to take over

        freezeAtWork(alice);
        JsonNode next = bob.awaitReport("type=write", "phase=COMMITTED");
        alice.signal("CONT");

        JsonNode refused = alice.awaitReport("type=write", "phase=REFUSED");
        assertThat(refused.get("token").asLong()).isLessThan(next.get("token").asLong());
        assertThat(refused.get("reason").asString()).contains("Producer");
        alice.awaitReport("type=event", "event=FENCED", "role=ledger");
        assertThat(phases(alice).filter("REFUSED"::equals)).hasSize(1);
    }

    /** Stops it after a BEGUN, and makes sure that nothing had followed by then. */
    private static void freezeAtWork(Instance instance) throws Exception {
        long begun = phases(instance).filter("BEGUN"::equals).count();
        await("a write begins")
                .until(() -> phases(instance).filter("BEGUN"::equals).count() > begun);
        instance.signal("STOP");
        assertThat(phases(instance).reduce((first, second) -> second)).contains("BEGUN");
    }

    private static Stream<String> phases(Instance instance) {
        return instance.reports().filter(report -> report.has("phase")).map(report -> report.get("phase")
                .asString());
    }

    private Instance startInLab(String name, String... arguments) throws IOException {
        return start(
                name,
                Stream.concat(
                                Stream.of("--spring.profiles.active=lab", "--logging.file.name=" + logs.resolve(name)),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private Instance start(String name, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--spring.kafka.bootstrap-servers=" + broker.address());
        all.add("--spring.application.name=" + group);
        Instance instance = Instance.start(name, all.toArray(String[]::new));
        instances.add(instance);
        return instance;
    }

    private HttpResponse<String> get(String uri) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static long token(Instance instance) {
        return Long.parseLong(find("(?<=wrote entry 1 with token )\\d+", instance));
    }

    private static String find(String pattern, Instance instance) {
        Matcher matcher = Pattern.compile(pattern).matcher(instance.output());
        assertThat(matcher.find()).as("%s in\n%s", pattern, instance.output()).isTrue();
        return matcher.group();
    }
}
