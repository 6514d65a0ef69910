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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Runs the jar as a user and as the lab start it, with a broker in another process. */
@Tag("proof")
@Timeout(600)
class SampleApplicationIT {

    /** Longer than a busy machine stalls. */
    private static final String LONG_LEASE = "--neli.lease-duration=30s";

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

    /** Each test has its own group on the broker. */
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
        Instance alice = start("alice", LONG_LEASE);
        alice.awaitOutput("wrote entry");
        Instance bob = start("bob", LONG_LEASE);
        bob.awaitOutput("on standby: alice leads ledger");

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
    void it_leads_with_ahead_of_time_processing() throws Exception {
        Instance alice = start("alice", "-Dspring.aot.enabled=true", LONG_LEASE);

        alice.awaitOutput("wrote entry");

        alice.stop();
        alice.awaitEnd();
        assertThat(alice.output())
                .contains("leading ledger with token", "handing over ledger, reason CLOSING")
                .doesNotContain(" WARN ", " ERROR ");
    }

    @Test
    void it_shows_health_and_metrics_and_does_not_let_others_resign_it() throws Exception {
        Instance alice = start("alice", LONG_LEASE);
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
                .isEqualTo(405);
    }

    @Test
    void it_resigns_on_command_and_ends_with_its_input() throws Exception {
        Instance alice = startInLab("alice", LONG_LEASE);
        JsonNode first = alice.awaitReport("type=event", "event=ACQUIRED");
        JsonNode write = alice.awaitReport("type=write", "outcome=COMMITTED");
        assertThat(write.get("token").asLong()).isEqualTo(first.get("token").asLong());
        Instance bob = startInLab("bob", LONG_LEASE);
        bob.awaitReport("type=snapshot", "eligible=true");

        alice.send("resign");

        alice.awaitReport("type=event", "event=REVOKED", "reason=RESIGNED");
        JsonNode committed = bob.awaitReport("type=write", "outcome=COMMITTED");
        assertThat(committed.get("token").asLong())
                .isGreaterThan(first.get("token").asLong());

        bob.endInput();

        assertThat(bob.awaitEnd()).isZero();
        bob.awaitReport("type=event", "event=REVOKED", "reason=CLOSING");
        assertThat(outcomes(bob))
                .as("running writes are finished before the end")
                .containsOnly("COMMITTED");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_write_that_a_frozen_leader_continues_is_refused() throws Exception {
        String lease = "--neli.lease-duration=5s"; // longer than a busy machine stalls
        // Work long enough that the freeze certainly happens during a write.
        Instance alice = startInLab("alice", "--sample.work-time=3s", lease);
        alice.awaitReport("type=write", "outcome=COMMITTED");
        Instance bob = startInLab("bob", lease);
        bob.awaitReport("type=snapshot", "eligible=true");

        long written = outcomes(alice).count();
        await("a write").atMost(Instance.LIMIT).until(() -> outcomes(alice).count() > written);
        long reports = alice.reports().count();
        await("the middle of the next one")
                .atMost(Instance.LIMIT)
                .until(() -> alice.reports().count() > reports + 5);
        alice.signal("STOP");
        JsonNode next = bob.awaitReport("type=write", "outcome=COMMITTED");
        alice.signal("CONT");

        JsonNode refused = alice.awaitReport("type=write", "outcome=REFUSED");
        assertThat(refused.get("token").asLong()).isLessThan(next.get("token").asLong());
        assertThat(refused.get("reason").asString()).contains("Producer");
        alice.awaitReport("type=event", "event=FENCED");
        assertThat(outcomes(alice).filter("REFUSED"::equals)).hasSize(1);
    }

    private static Stream<String> outcomes(Instance instance) {
        return instance.reports().filter(report -> report.has("outcome")).map(report -> report.get("outcome")
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
