package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.NeliSnapshot.Status;
import io.neli.spring.LeadershipEvent;
import io.neli.spring.SharedBroker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class RequireReadinessIT {

    private final List<String> journal = new CopyOnWriteArrayList<>();

    private ConfigurableApplicationContext start(String... more) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .initializers(context -> context.getBeanFactory().registerSingleton("journal", new Journal(journal)))
                .properties(
                        "spring.kafka.bootstrap-servers=" + SharedBroker.address(),
                        "neli.group-id=require-readiness-" + more.length,
                        "neli.lease-duration=30s", // longer than a busy machine stalls
                        "neli.heartbeat-interval=100ms",
                        "logging.level.org.apache.kafka.clients.consumer=warn") // as by default
                .properties(more)
                .run();
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }

    @Test
    void a_member_leads_only_while_its_application_accepts_traffic(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start("neli.require-readiness=true")) {
            Neli neli = context.getBean(Neli.class);
            until(neli::isLeader);
            assertThat(journal).first().isEqualTo("runs, eligible: false");
            assertThat(output).as("Kafka's warning").doesNotContain("not assigned to any members");
            long token = neli.leadership().orElseThrow().token();

            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            until(() -> journal.contains("LeaderRevokedEvent"));
            assertThat(neli.isLeader()).isFalse();

            context.stop();
            context.start();
            until(() -> neli.snapshot().status() == Status.RUNNING);
            assertThat(neli.snapshot().eligible()).isFalse();

            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            until(neli::isLeader);
            assertThat(neli.leadership().orElseThrow().token()).isGreaterThan(token);
        }
    }

    @Test
    void otherwise_it_may_lead_before_the_application_is_ready() {
        try (ConfigurableApplicationContext context = start()) {
            assertThat(context.isRunning()).isTrue();
            assertThat(journal).contains("runs, eligible: true");
        }
    }

    @Test
    void an_observer_stays_one() {
        start("neli.group-id=require-readiness-2").close(); // a candidate, which creates the topic
        try (ConfigurableApplicationContext context = start("neli.require-readiness=true", "neli.candidate=false")) {
            assertThat(context.getBean(Neli.class).snapshot().eligible()).isFalse();
        }
    }

    record Journal(List<String> entries) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        private final Journal journal;

        Application(Journal journal) {
            this.journal = journal;
        }

        @Bean
        ApplicationRunner runner(Neli neli) {
            return arguments -> {
                until(() -> {
                    NeliSnapshot snapshot = neli.snapshot();
                    return snapshot.status() == Status.RUNNING && snapshot.groupMembers() == 1;
                });
                journal.entries.add("runs, eligible: " + neli.snapshot().eligible());
            };
        }

        @EventListener
        void on(ApplicationReadyEvent event) {
            journal.entries.add("ready");
        }

        @EventListener
        void on(LeadershipEvent event) {
            journal.entries.add(event.getClass().getSimpleName());
        }
    }
}
