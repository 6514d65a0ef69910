package io.neli.spring.autoconfigure.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.jayway.jsonpath.JsonPath;
import io.neli.LeaderTerm;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.spring.Snapshots;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.reset;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoints.web.exposure.include=neli,health",
            "neli.roles=invoices,reports,mail",
            "management.endpoint.neli.access=unrestricted",
            "management.endpoint.health.show-details=always",
            "management.endpoint.health.probes.enabled=true"
        })
class ActuatorHttpTest {

    private static final String JSON = "application/json";

    private final HttpClient client = HttpClient.newHttpClient();

    @Autowired
    private Neli neli;

    @Value("${local.server.port}")
    private int port;

    @BeforeEach
    void begin() {
        reset(neli);
        lead(neli);
    }

    private static void lead(Neli election) {
        when(election.roles()).thenReturn(List.of("invoices", "reports", "mail"));
        when(election.snapshot()).thenReturn(Snapshots.leading(Duration.ofSeconds(90), Duration.ofMillis(2_500)));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return client.send(
                request(path)
                        .header("Content-Type", JSON)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                .timeout(Duration.ofMinutes(1))
                .header("Accept", JSON);
    }

    @Test
    void the_endpoint_shows_what_the_member_knows() throws Exception {
        HttpResponse<String> response = get("neli");

        assertThat(response.statusCode()).isEqualTo(200);
        var shown = JsonPath.parse(response.body());
        assertThat(shown.<String>read("$.name")).isEqualTo("me");
        assertThat(shown.<String>read("$.groupId")).isEqualTo("billing");
        assertThat(shown.<String>read("$.topic")).isEqualTo("billing.neli");
        assertThat(shown.<String>read("$.status")).isEqualTo("RUNNING");
        assertThat(shown.<List<String>>read("$.partitions[0].roles")).containsExactly("invoices", "reports");
        assertThat(shown.<Boolean>read("$.partitions[0].leading")).isTrue();
        assertThat(shown.<Boolean>read("$.partitions[0].eligible")).isTrue();
        assertThat(shown.<Boolean>read("$.partitions[1].eligible")).isFalse();
        assertThat(shown.<Integer>read("$.partitions[0].token")).isEqualTo(42);
        assertThat(shown.<String>read("$.partitions[0].leadingFor")).isEqualTo("PT1M30S");
        assertThat(shown.<String>read("$.partitions[0].preparingFor")).isEqualTo("PT0S");
        assertThat(shown.<String>read("$.partitions[0].leaseLeft")).isEqualTo("PT2.5S");
        assertThat(shown.<String>read("$.partitions[0].leaderMetadata.url")).isEqualTo("http://me:8080");
        assertThat(shown.<String>read("$.partitions[1].leader")).isEqualTo("bob");
        assertThat(shown.<List<String>>read("$.partitions[0].logs[?(@.held == true)].topic"))
                .containsExactly("billing.neli", "billing.neli.1");
        assertThat(shown.<String>read("$.partitions[1].logs[0].holder")).isEqualTo("bob");
    }

    @Test
    void it_makes_the_member_resign_for_a_while() throws Exception {
        assertThat(post("neli/resign", "{\"cooldown\": \"10s\"}").statusCode()).isEqualTo(204);
        verify(neli).resign(Duration.ofSeconds(10));
        assertThat(post("neli/resign", "{\"cooldown\": 20}").statusCode()).isEqualTo(204);
        verify(neli).resign(Duration.ofSeconds(20));
    }

    @Test
    void without_a_cooldown_it_resigns_for_a_minute() throws Exception {
        assertThat(post("neli/resign", "{}").statusCode()).isEqualTo(204);
        verify(neli).resign(Duration.ofMinutes(1));
    }

    @Test
    void it_pauses_and_resumes_the_member() throws Exception {
        assertThat(post("neli/pause", "{}").statusCode()).isEqualTo(204);
        verify(neli).pause();
        verify(neli, never()).resume();

        assertThat(post("neli/resume", "").statusCode()).isEqualTo(204);
        verify(neli).resume();
    }

    @Test
    void a_command_can_be_for_one_role() throws Exception {
        assertThat(post("neli/resign", "{\"role\": \"invoices\", \"cooldown\": \"10m\"}")
                        .statusCode())
                .isEqualTo(204);
        verify(neli).resign("invoices", Duration.ofMinutes(10));
        assertThat(post("neli/resign", "{\"role\": \"mail\"}").statusCode()).isEqualTo(204);
        verify(neli).resign("mail", Duration.ofMinutes(1));
        assertThat(post("neli/pause", "{\"role\": \"invoices\"}").statusCode()).isEqualTo(204);
        verify(neli).pause("invoices");
        assertThat(post("neli/resume", "{\"role\": \"invoices\"}").statusCode()).isEqualTo(204);
        verify(neli).resume("invoices");

        verify(neli, never()).resign(any());
        verify(neli, never()).pause();
        verify(neli, never()).resume();
    }

    @Test
    void it_shows_who_led_a_role() throws Exception {
        Instant acquired = Instant.parse("2026-03-01T06:00:00.250Z");
        Instant ended = acquired.plusSeconds(90);
        when(neli.partitionOf("mail")).thenReturn(1);
        when(neli.history("mail", Duration.ofHours(6)))
                .thenReturn(List.of(
                        new LeaderTerm(
                                41,
                                "alice",
                                Map.of("url", "http://alice"),
                                Optional.empty(),
                                Optional.of(ended),
                                Optional.of(LeaderTerm.End.SILENT),
                                Optional.of("bob"),
                                Optional.empty()),
                        new LeaderTerm(
                                42,
                                "bob",
                                Map.of(),
                                Optional.of(ended.plusMillis(3_050)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(Duration.ofMillis(3_050)))));

        HttpResponse<String> response = get("neli/history?role=mail&since=PT6H");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<Map<String, Object>>read(response.body(), "$"))
                .isEqualTo(JsonPath.read(
                        """
                        {"role": "mail", "partition": 1, "terms": [
                          {"token": 41, "member": "alice", "metadata": {"url": "http://alice"}, "acquired": null,
                           "ended": "2026-03-01T06:01:30.250Z", "end": "SILENT", "successor": "bob", "unledBefore": null},
                          {"token": 42, "member": "bob", "metadata": {}, "acquired": "2026-03-01T06:01:33.300Z",
                           "ended": null, "end": null, "successor": null, "unledBefore": "PT3.05S"}]}
                        """,
                        "$"));
    }

    @Test
    void a_history_that_cannot_be_read_or_is_too_long_is_answered_with_the_reason() throws Exception {
        when(neli.defaultRole()).thenReturn("invoices");
        when(neli.history("invoices", Duration.ofDays(1)))
                .thenThrow(new NeliException("the leader topic cannot be reached", "check the brokers"))
                .thenThrow(new IllegalArgumentException("use a shorter time"));

        HttpResponse<String> failed = get("neli/history");
        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("the leader topic cannot be reached; check the brokers");
        HttpResponse<String> refused = get("neli/history");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("since is '24h': use a shorter time");
    }

    @Test
    void a_standby_is_healthy() throws Exception {
        HttpResponse<String> response = get("health");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<String>read(response.body(), "$.components.neli.status"))
                .isEqualTo("UP");
        assertThat(JsonPath.<String>read(response.body(), "$.components.neli.details.roles.mail.leader"))
                .isEqualTo("bob");
    }

    @Test
    void an_election_that_cannot_work_shows_in_the_health_and_leaves_readiness_and_liveness_alone() throws Exception {
        when(neli.snapshot()).thenReturn(Snapshots.failed("the leader topic is gone"));
        assertThat(get("health").statusCode()).isEqualTo(200);
        assertThat(get("health").body()).contains("the leader topic is gone");

        when(neli.snapshot()).thenReturn(Snapshots.unableToLead("no disk"));
        assertThat(get("health").statusCode()).isEqualTo(503);
        for (String probe : List.of("health/readiness", "health/liveness")) {
            HttpResponse<String> response = get(probe);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).doesNotContain("neli");
        }

        lead(neli);
        assertThat(get("health").statusCode()).isEqualTo(200);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Neli election() {
            Neli election = mock(Neli.class);
            lead(election);
            return election;
        }
    }
}
