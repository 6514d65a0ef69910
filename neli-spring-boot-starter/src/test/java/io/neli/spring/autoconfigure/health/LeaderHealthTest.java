package io.neli.spring.autoconfigure.health;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import com.jayway.jsonpath.JsonPath;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The health that tells a load balancer where the leader is, requested as a load balancer does it. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.health.neli-leader.enabled=true",
            "management.endpoint.health.group.leader.include=neliLeader/invoices",
            "management.endpoint.health.group.leader.status.order=standby,up",
            "management.endpoint.health.group.leader.status.http-mapping.standby=503",
            "management.endpoint.health.group.leader.show-details=always",
            "management.endpoint.health.group.leader.additional-path=server:/leader",
            "management.endpoint.health.group.leaders.include=neliLeader",
            "management.endpoint.health.group.leaders.status.order=standby,up",
            "management.endpoint.health.group.leaders.status.http-mapping.standby=503",
            "management.endpoint.health.group.slashed.include=neliLeader/eu-mail",
            "management.endpoint.health.group.slashed.status.order=standby,up",
            "management.endpoint.health.group.slashed.status.http-mapping.standby=503",
            "management.endpoint.health.group.readiness.include=*",
            "management.endpoint.health.probes.enabled=true",
            "management.endpoint.health.probes.add-additional-paths=true",
            "management.endpoint.health.show-details=always"
        })
class LeaderHealthTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @Autowired
    private FakeNeli neli;

    @Value("${local.server.port}")
    private int port;

    @BeforeEach
    void stand_by() {
        neli.reset();
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://localhost:" + port + "/" + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build();
        return client.send(request, BodyHandlers.ofString());
    }

    private int status(String path) throws Exception {
        return get(path).statusCode();
    }

    @Test
    void only_the_leader_of_the_role_answers_that_it_is_up_and_shows_who_it_is() throws Exception {
        neli.acquire("reports");
        assertThat(status("actuator/health/leader")).isEqualTo(503);

        neli.acquire("invoices");

        HttpResponse<String> response = get("actuator/health/leader");
        assertThat(response.statusCode()).isEqualTo(200);
        Map<String, Object> details =
                JsonPath.read(response.body(), "$.components.neliLeader.components.invoices.details");
        assertThat(details)
                .containsEntry("leader", "me")
                .containsEntry("metadata", Map.of("url", "http://me:8080"))
                .hasEntrySatisfying("token", token -> assertThat(((Number) token).longValue())
                        .isEqualTo(neli.leadership("invoices").orElseThrow().token()));
        assertThat(status("leader")).isEqualTo(200);
    }

    @Test
    void a_standby_is_out_of_service_for_the_group_and_in_service_otherwise() throws Exception {
        HttpResponse<String> response = get("actuator/health/leader");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(JsonPath.<String>read(response.body(), "$.status")).isEqualTo("STANDBY");

        HttpResponse<String> root = get("actuator/health");
        assertThat(root.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<String>read(root.body(), "$.status")).isEqualTo("UP");
        assertThat(JsonPath.<List<String>>read(root.body(), "$.groups")).contains("leader", "readiness");
    }

    @ParameterizedTest
    @ValueSource(strings = {"actuator/health/readiness", "actuator/health/liveness", "readyz", "livez"})
    void the_probes_do_not_depend_on_it(String probe) throws Exception {
        assertThat(status(probe)).isEqualTo(200);
    }

    @Test
    void a_group_with_all_roles_wants_all_of_them() throws Exception {
        neli.acquire("invoices");
        neli.acquire("reports");
        assertThat(status("actuator/health/leaders")).isEqualTo(503);

        neli.acquire("eu/mail");
        assertThat(status("actuator/health/leaders")).isEqualTo(200);
    }

    /** Boot separates names by slashes. */
    @Test
    void a_slash_in_the_name_of_a_role_is_a_hyphen_here() throws Exception {
        assertThat(status("actuator/health/slashed")).isEqualTo(503);
        neli.acquire("eu/mail");
        assertThat(status("actuator/health/slashed")).isEqualTo(200);
    }

    @Test
    void it_is_out_of_service_from_the_beginning_of_a_handover() throws Exception {
        neli.acquire("invoices");
        CompletableFuture<Void> handover;
        try (LeaderWork work = neli.beginWork("invoices").orElseThrow()) {
            assertThat(work.leadership().isValid()).isTrue();
            assertThat(status("actuator/health/leader")).isEqualTo(200);
            handover = CompletableFuture.runAsync(neli::revoke);
            await().atMost(Duration.ofMinutes(1)).until(() -> status("actuator/health/leader") == 503);
            assertThat(handover).as("waits for the work").isNotDone();
        }
        assertThat(handover).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void a_role_that_there_is_not_is_refused_at_start_up() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "management.health.neli-leader.enabled=true",
                        "management.endpoint.health.group.leader.include=neliLeader/invoice")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("contributor 'neliLeader/invoice'"));
    }

    @Test
    void roles_that_would_have_one_name_are_refused_at_start_up() {
        new ApplicationContextRunner()
                .withUserConfiguration(WithoutElection.class)
                .withPropertyValues("management.health.neli-leader.enabled=true")
                .withBean(
                        Neli.class,
                        () -> FakeNeli.builder().roles("eu/mail", "eu-mail").start())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContainingAll(
                                "management.health.neli-leader.enabled", "'eu/mail'", "'eu-mail'", "rename one"));
    }

    @ParameterizedTest
    @CsvSource({"run, UP", "skip, STANDBY"})
    void an_application_without_an_election_works_as_its_work_does(String whenDisabled, String status) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withUserConfiguration(WithoutElection.class)
                .withPropertyValues("neli.enabled=false", "neli.when-disabled=" + whenDisabled)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=health",
                        "management.health.neli-leader.enabled=true",
                        "management.endpoint.health.group.leader.status.order=standby,up");
        runner.withPropertyValues("management.endpoint.health.group.leader.include=neliLeader/default")
                .run(context -> assertThat(statusOfGroup(context)).isEqualTo(status));
        runner.withPropertyValues("management.endpoint.health.group.leader.include=neliLeader/reports")
                .withPropertyValues("neli.roles[0]=invoices", "neli.roles[1]=reports")
                .run(context -> assertThat(statusOfGroup(context)).isEqualTo(status));
    }

    private static String statusOfGroup(ApplicationContext context) {
        return context.getBean(HealthEndpoint.class)
                .healthForPath("leader")
                .getStatus()
                .getCode();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithoutElection {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Neli neli() {
            return FakeNeli.builder()
                    .name("me")
                    .roles("invoices", "reports", "eu/mail")
                    .metadata(Map.of("url", "http://me:8080"))
                    .handoverTimeout(Duration.ofMinutes(2))
                    .start();
        }
    }
}
