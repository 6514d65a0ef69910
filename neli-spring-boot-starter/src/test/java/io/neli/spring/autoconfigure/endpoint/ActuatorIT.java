package io.neli.spring.autoconfigure.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import io.micrometer.core.instrument.MeterRegistry;
import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import io.neli.spring.SharedBroker;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/** The actuator of applications with a web server, seen from outside. */
class ActuatorIT {

    /** Longer than a busy machine stalls. */
    private static final String LONG_LEASE = "neli.lease-duration=30s";

    private final HttpClient client = HttpClient.newHttpClient();
    private String group;

    @BeforeEach
    void nameGroup(TestInfo test) {
        group = test.getTestMethod().orElseThrow().getName();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(20));
    }

    private ConfigurableApplicationContext start(String name, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .registerShutdownHook(false)
                .properties(properties)
                .run(
                        "--neli.name=" + name,
                        "--neli.group-id=" + group,
                        "--neli.heartbeat-interval=100ms",
                        "--spring.kafka.bootstrap-servers=" + SharedBroker.address(),
                        "--server.port=0",
                        "--management.endpoints.web.exposure.include=neli,health,prometheus",
                        "--management.endpoint.neli.access=unrestricted",
                        "--management.endpoint.health.show-details=always");
    }

    private HttpResponse<String> send(ConfigurableApplicationContext application, String path, String... body) {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/" + path))
                .timeout(Duration.ofMinutes(1));
        if (body.length > 0) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body[0]));
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A sample of one scrape; -1 if there is none. */
    private double sample(ConfigurableApplicationContext application, String series) {
        return send(application, "prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElse(-1);
    }

    private String health(ConfigurableApplicationContext application) {
        return JsonPath.read(send(application, "health").body(), "$.components.neli.status");
    }

    @Test
    void a_leader_and_a_standby_are_healthy_and_their_meters_show_which_is_which() {
        String leader = "neli_leader{group=\"" + group + "\",role=\"default\"}";
        try (ConfigurableApplicationContext first = start("first", LONG_LEASE)) {
            eventually().until(() -> sample(first, leader) == 1);
            try (ConfigurableApplicationContext second = start("second", LONG_LEASE)) {
                eventually().until(() -> second.getBean(Neli.class).leader().isPresent());
                assertThat(health(first)).isEqualTo("UP");
                assertThat(health(second)).isEqualTo("UP");
                assertThat(sample(second, leader)).isZero();
                eventually()
                        .until(() -> sample(
                                        first,
                                        "neli_work_seconds_count{group=\"" + group
                                                + "\",outcome=\"executed\",role=\"default\"}")
                                > 0);
                eventually()
                        .until(() ->
                                sample(second, "neli_skipped_total{group=\"" + group + "\",role=\"default\"}") > 0);
                eventually()
                        .until(() -> sample(
                                        first,
                                        "neli_heartbeat_round_trip_seconds_count{group=\"" + group
                                                + "\",partition=\"0\"}")
                                > 0);
                assertThat(sample(first, "neli_lease_left_seconds{group=\"" + group + "\",partition=\"0\"}"))
                        .isPositive();
                assertThat(sample(first, "neli_bids_total{group=\"" + group + "\",partition=\"0\"}"))
                        .isPositive();

                assertThat(send(first, "neli/resign", "{\"cooldown\": \"10m\"}").statusCode())
                        .isEqualTo(204);

                eventually().until(() -> sample(second, leader) == 1);
                eventually().until(() -> sample(first, leader) == 0); // gauges may be 100 ms old
                eventually().untilAsserted(() -> {
                    String history = send(first, "neli/history?since=1h").body();
                    assertThat(JsonPath.<List<String>>read(history, "$.terms[*].member"))
                            .containsExactly("first", "second");
                    assertThat(JsonPath.<String>read(history, "$.terms[0].end")).isEqualTo("HANDED_OVER");
                });
                assertThat(sample(
                                first,
                                "neli_transitions_total{event=\"revoked\",group=\"" + group
                                        + "\",reason=\"resigned\",role=\"default\"}"))
                        .isEqualTo(1);
                assertThat(sample(second, "neli_takeovers_total{group=\"" + group + "\",partition=\"0\"}"))
                        .as("nobody crashed")
                        .isZero();
            }
        }
    }

    @Test
    void health_is_down_if_so_configured_while_the_topic_is_missing_and_up_by_itself_when_it_exists() throws Exception {
        try (ConfigurableApplicationContext application =
                start("first", "neli.topic.create=false", "management.health.neli.down-when-failed=true")) {
            HttpResponse<String> down = eventually()
                    .until(
                            () -> send(application, "health"),
                            response -> response.statusCode() == 503
                                    && response.body().contains(group + ".neli"));
            assertThat(JsonPath.<String>read(down.body(), "$.components.neli.status"))
                    .isEqualTo("DOWN");
            assertThat(JsonPath.<String>read(down.body(), "$.components.neli.details.problem"))
                    .contains(group + ".neli");

            try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.address()))) {
                admin.createTopics(List.of(new NewTopic(group + ".neli", 1, (short) 1)))
                        .all()
                        .get();
            }

            eventually()
                    .until(() -> health(application).equals("UP")
                            && application.getBean(Neli.class).isLeader());
            assertThat(send(application, "health").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_member_leads_again_after_a_pause_a_cooldown_and_a_stop_and_its_meters_keep_counting() {
        try (ConfigurableApplicationContext application = start("first", LONG_LEASE)) {
            Neli neli = application.getBean(Neli.class);
            MeterRegistry registry = application.getBean(MeterRegistry.class);
            eventually().until(neli::isLeader);

            send(application, "neli/pause", "{}");
            eventually().until(() -> !neli.isLeader());
            eventually().until(() -> JsonPath.read(send(application, "neli").body(), "$.paused"));
            assertThat(health(application)).isEqualTo("UP");

            send(application, "neli/resume", "{}");
            eventually().until(neli::isLeader);

            send(application, "neli/resign", "{\"cooldown\": \"7d\"}");
            eventually().until(() -> !neli.isLeader());
            send(application, "neli/resume", "{}");
            eventually().until(neli::isLeader);

            application.stop();
            assertThat(registry.get("neli.leader").gauge().value()).isZero();

            application.start();
            // The event is counted a moment after isLeader() is true.
            eventually().untilAsserted(() -> assertThat(registry.get("neli.transitions")
                            .tag("event", "acquired")
                            .counter()
                            .count())
                    .isEqualTo(4));
            eventually().until(() -> registry.get("neli.leader").gauge().value() == 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {

        @Scheduled(fixedDelay = 10)
        @LeaderOnly
        void work() {}
    }
}
