package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

import com.jayway.jsonpath.JsonPath;
import io.neli.Neli;
import io.neli.nats.NatsServer;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderKafkaTemplates;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import io.neli.spring.SharedBroker;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.Startable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.test.util.AopTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The same application on Kafka and on NATS, chosen by configuration alone. */
@Needs(Program.NATS_SERVER)
class NatsApplicationIT {

    /** Longer than a busy machine stalls. */
    private static final String LONG_LEASE = "neli.lease-duration=30s";

    private static NatsServer nats;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void startServer() {
        nats = NatsServer.start("--user", "billing", "--pass", "secret");
    }

    @AfterAll
    static void stopServer() {
        nats.close();
    }

    private static String[] onKafka() {
        return new String[] {"spring.kafka.bootstrap-servers=" + SharedBroker.address()};
    }

    private static String[] onNats() {
        return new String[] {
            "neli.nats.servers=" + nats.url(), "neli.nats.username=billing", "neli.nats.password=secret"
        };
    }

    @Test
    void what_it_does_on_kafka_it_does_on_nats() {
        try (ConfigurableApplicationContext application = start("first", onKafka())) {
            assertThat(application.getBeansOfType(LeaderKafkaTemplates.class)).hasSize(1);
            leads(application, "billing-app.neli");
            isRevoked(application, () -> application.getBean(Neli.class).resign(Duration.ofMinutes(10)));
        }
        try (ConfigurableApplicationContext application = start("first", onNats())) {
            assertThat(application.getBeansOfType(LeaderKafkaTemplates.class)).isEmpty();
            leads(application, "billing-app");
            long token =
                    application.getBean(Neli.class).leadership().orElseThrow().token();
            contexts(onNats()).withPropertyValues("neli.name=second").run(other -> {
                Neli standby = other.getBean(Neli.class);
                until(() -> standby.leader()
                        .filter(leader -> leader.name().equals("first"))
                        .isPresent());
                assertThat(standby.isLeader()).isFalse();

                isRevoked(application, application::stop);

                until(standby::isLeader);
                assertThat(standby.leadership().orElseThrow().token()).isGreaterThan(token);
            });
        }
    }

    private void leads(ConfigurableApplicationContext application, String topic) {
        Neli neli = application.getBean(Neli.class);
        Job job = AopTestUtils.getTargetObject(application.getBean(Job.class)); // the proxy's fields are not set
        Poller poller = application.getBean(Poller.class);
        until(() -> neli.isLeader() && poller.isRunning());
        assertThat(job.events).singleElement().isInstanceOfSatisfying(LeaderAcquiredEvent.class, acquired -> assertThat(
                        acquired.token())
                .isEqualTo(neli.leadership().orElseThrow().token()));

        until(
                () -> { // work may begin when the last listener has returned
                    application.getBean(Job.class).work();
                    return !job.runs.isEmpty();
                });
        assertThat(job.runs).containsExactly(neli.leadership().orElseThrow().token());

        assertThat(JsonPath.<String>read(get(application, "neli"), "$.topic")).isEqualTo(topic);
        assertThat(JsonPath.<String>read(get(application, "neli"), "$.status")).isEqualTo("RUNNING");
        assertThat(JsonPath.<Boolean>read(get(application, "neli"), "$.partitions[0].leading"))
                .isTrue();
        assertThat(JsonPath.<String>read(get(application, "health"), "$.components.neli.status"))
                .isEqualTo("UP");
        until(() -> sample(application, "neli_leader{group=\"billing-app\",role=\"default\"}") == 1);
        until(() ->
                sample(application, "neli_heartbeat_round_trip_seconds_count{group=\"billing-app\",partition=\"0\"}")
                        > 0);
    }

    private void isRevoked(ConfigurableApplicationContext application, Runnable cause) {
        Job job = AopTestUtils.getTargetObject(application.getBean(Job.class));
        Poller poller = application.getBean(Poller.class);

        cause.run();

        until(() -> job.events.size() == 2 && !poller.isRunning());
        assertThat(job.events.get(1)).isInstanceOf(LeaderRevokedEvent.class);
        application.getBean(Job.class).work();
        assertThat(job.runs).hasSize(1);
    }

    @Test
    void a_wrong_password_is_a_problem_that_names_the_property_and_no_secret() {
        contexts(onNats())
                .withPropertyValues("neli.name=first", "neli.nats.password=wrong-secret")
                .run(application -> {
                    Neli neli = application.getBean(Neli.class);
                    until(() -> neli.snapshot()
                            .problem()
                            .filter(problem -> problem.contains("neli.nats.servers is '" + nats.url() + "'"))
                            .filter(problem -> problem.contains("refuse"))
                            .isPresent());
                    assertThat(neli.snapshot().problem().orElseThrow()).doesNotContain("wrong-secret");
                });
    }

    /** Other members of the application's group, with nothing but the election. */
    private static ApplicationContextRunner contexts(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class))
                .withPropertyValues("neli.group-id=billing-app", "neli.heartbeat-interval=100ms", LONG_LEASE)
                .withPropertyValues(properties);
    }

    private static ConfigurableApplicationContext start(String name, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--neli.name=" + name,
                "--spring.application.name=billing-app",
                "--" + LONG_LEASE,
                "--neli.heartbeat-interval=100ms",
                "--server.port=0",
                "--management.endpoints.web.exposure.include=neli,health,prometheus",
                "--management.endpoint.health.show-details=always"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new SpringApplicationBuilder(Application.class)
                .registerShutdownHook(false)
                .run(arguments.toArray(String[]::new));
    }

    private String get(ConfigurableApplicationContext application, String path) {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                .timeout(Duration.ofMinutes(1))
                .build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return response.body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A sample of one scrape; -1 if there is none. */
    private double sample(ConfigurableApplicationContext application, String series) {
        return get(application, "prometheus")
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElse(-1);
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Job job(Neli neli) {
            return new Job(neli);
        }

        @Bean
        Poller poller() {
            return new Poller();
        }
    }

    static class Job {

        private final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();
        private final List<Long> runs = new CopyOnWriteArrayList<>();
        private final Neli neli;

        Job(Neli neli) {
            this.neli = neli;
        }

        @LeaderOnly
        void work() {
            runs.add(neli.leadership().orElseThrow().token());
        }

        @EventListener
        void on(LeadershipEvent event) {
            events.add(event);
        }
    }

    @StartWhenLeading
    static class Poller extends Startable {}
}
