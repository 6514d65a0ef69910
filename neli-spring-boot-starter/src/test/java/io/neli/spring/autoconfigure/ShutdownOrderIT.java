package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.neli.Neli;
import io.neli.NeliSnapshot.Status;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.SharedBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** A leader with a web server, a listener container and a job that needs them both shuts down gracefully. */
class ShutdownOrderIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient browser = HttpClient.newHttpClient();
    private final Steps steps = new Steps();
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        SharedBroker.get().addTopics("shutdown-orders");
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .initializers(starting -> starting.getBeanFactory().registerSingleton("steps", steps))
                .run(
                        "--spring.application.name=shutdown",
                        "--server.port=0",
                        "--server.shutdown=graceful",
                        "--neli.lease-duration=30s", // all longer than a busy machine stalls
                        "--neli.handover-timeout=5m",
                        "--spring.lifecycle.timeout-per-shutdown-phase=5m",
                        "--spring.kafka.bootstrap-servers=" + SharedBroker.address());
    }

    @AfterEach
    void stop() {
        steps.mayEnd.countDown();
        steps.mayAnswer.countDown();
        context.close();
    }

    @Test
    void the_handover_waits_for_the_job_before_containers_stop_and_the_web_server_drains_and_clients_go()
            throws Exception {
        Neli neli = context.getBean(Neli.class);
        MessageListenerContainer container =
                context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("orders");
        await(steps.begun);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        // The job continues: what it needs is still there.
        until(() -> steps.journal.contains("job has all it needs"));
        assertThat(steps.journal)
                .containsExactly("revoked", "web 200 pong", "executor ran", "sent", "job has all it needs");
        until(() -> steps.received.contains("invoice"));
        assertThat(container.isRunning()).isTrue();
        assertThat(neli.isLeader()).isFalse();
        assertThat(neli.beginWork()).isEmpty();
        assertThat(closing).isNotDone();

        CompletableFuture<HttpResponse<String>> slow =
                browser.sendAsync(get("/slow"), HttpResponse.BodyHandlers.ofString());
        await(steps.asked);
        steps.mayEnd.countDown();
        until(() -> neli.snapshot().status() == Status.STOPPED && steps.journal.contains("job ends"));

        // The election is over. Now the containers stop, and the web server accepts no new requests but answers those
        // in progress.
        until(() -> !container.isRunning());
        until(this::refusesRequests);
        assertThat(slow).isNotDone();
        steps.mayAnswer.countDown();

        assertThat(slow).succeedsWithin(PATIENCE).extracting(HttpResponse::body).isEqualTo("answered and sent");
        assertThat(closing).succeedsWithin(PATIENCE);
        assertThat(steps.runs).as("calls of the job").isEqualTo(1);
    }

    private HttpRequest get(String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return Steps.get(port, path);
    }

    private boolean refusesRequests() throws InterruptedException {
        try {
            HttpClient.newHttpClient().send(Steps.get(steps.port, "/ping"), HttpResponse.BodyHandlers.ofString());
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void await(CountDownLatch latch) {
        until(() -> latch.getCount() == 0);
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    /** Records what happens in the application, and has the latches that it waits for. */
    static class Steps {

        final List<String> journal = new CopyOnWriteArrayList<>();
        final List<String> received = new CopyOnWriteArrayList<>();
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch revoked = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch mayAnswer = new CountDownLatch(1);
        volatile int port;
        volatile int runs;

        static HttpRequest get(int port, String path) {
            return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    @Import(Web.class)
    static class Application {

        @Bean
        Job job(
                Steps steps,
                KafkaTemplate<String, String> kafka,
                AsyncTaskExecutor applicationTaskExecutor,
                WebServerApplicationContext web) {
            return new Job(steps, kafka, applicationTaskExecutor, web);
        }
    }

    static class Job {

        private final Steps steps;
        private final KafkaTemplate<String, String> kafka;
        private final AsyncTaskExecutor executor;
        private final WebServerApplicationContext web;

        Job(
                Steps steps,
                KafkaTemplate<String, String> kafka,
                AsyncTaskExecutor executor,
                WebServerApplicationContext web) {
            this.steps = steps;
            this.kafka = kafka;
            this.executor = executor;
            this.web = web;
        }

        @Scheduled(fixedDelay = 1)
        @LeaderOnly
        void settle() throws Exception {
            steps.runs++;
            steps.port = web.getWebServer().getPort();
            steps.begun.countDown();
            steps.revoked.await();
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(Steps.get(steps.port, "/ping"), HttpResponse.BodyHandlers.ofString());
            steps.journal.add("web " + answer.statusCode() + " " + answer.body());
            steps.journal.add("executor " + executor.submit(() -> "ran").get());
            kafka.send("shutdown-orders", "invoice").get();
            steps.journal.add("sent");
            steps.journal.add("job has all it needs");
            steps.mayEnd.await();
            steps.journal.add("job ends");
        }

        @EventListener
        void on(LeaderRevokedEvent event) {
            steps.journal.add("revoked");
            steps.revoked.countDown();
        }

        @KafkaListener(
                id = "orders",
                topics = "shutdown-orders",
                properties = {"auto.offset.reset=earliest"})
        void receive(String order) {
            steps.received.add(order);
        }
    }

    @RestController
    static class Web {

        private final Steps steps;
        private final KafkaTemplate<String, String> kafka;

        Web(Steps steps, KafkaTemplate<String, String> kafka) {
            this.steps = steps;
            this.kafka = kafka;
        }

        @GetMapping("/ping")
        String ping() {
            return "pong";
        }

        @GetMapping("/slow")
        String slow() throws Exception {
            steps.asked.countDown();
            steps.mayAnswer.await();
            kafka.send("shutdown-orders", "answered").get();
            return "answered and sent";
        }
    }
}
