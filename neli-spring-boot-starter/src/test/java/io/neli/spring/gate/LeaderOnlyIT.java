package io.neli.spring.gate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent.FenceReason;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliSnapshot.Partition.State;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeadershipEvent;
import io.neli.spring.SharedBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.slf4j.MDC;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Annotated methods of a real member that leads, and then hands over or is fenced. */
class LeaderOnlyIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String BRIEF_HANDOVER = "neli.handover-timeout=300ms";

    private ConfigurableApplicationContext context;

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void the_term_is_available_in_a_call_and_a_handover_waits_for_a_future_that_one_has_returned(TestInfo test) {
        Job job = startLeader(test);
        Leadership term = context.getBean(Neli.class).leadership().orElseThrow();

        assertThat(job.describe()).hasValue("invoices " + term.token() + " invoices " + term.token());

        assertThat(Leadership.current()).isEmpty();
        assertThat(MDC.get("neli.token")).isNull();

        CompletableFuture<String> returned = job.future();
        assertThat(Leadership.current()).isEmpty();

        context.getBean(Neli.class).resign(LONG);
        until(() -> job.events().contains("LeaderRevokedEvent"));
        assertThat(job.describe()).as("new work").isEmpty();
        assertThat(state()).isEqualTo(State.DRAINING);
        returned.complete("done");

        until(() -> state() == State.STANDBY);
        assertThat(job.events()).containsExactly("LeaderAcquiredEvent", "LeaderRevokedEvent");
    }

    @Test
    void a_fence_cancels_a_subscription(TestInfo test) {
        Job job = startLeader(test, BRIEF_HANDOVER);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        job.never().subscribe(value -> {}, failure::set);

        context.getBean(Neli.class).resign(LONG);

        until(() -> failure.get() != null);
        assertThat(failure.get()).isInstanceOf(NotLeaderException.class).hasMessageContaining("role 'invoices'");
        until(() -> job.events().contains("cancelled"));
        until(() -> job.events().contains("LeaderFencedEvent " + FenceReason.HANDOVER_TIMED_OUT));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void a_fence_interrupts_a_scheduled_method_on_a_virtual_thread(TestInfo test) {
        Job job = startLeader(test, BRIEF_HANDOVER, "spring.threads.virtual.enabled=true", "block=true");
        until(() -> job.events().contains("blocks"));

        context.getBean(Neli.class).resign(LONG);

        until(() -> job.events().contains("interrupted"));
        assertThat(job.thread()).startsWith("VirtualThread");
    }

    private Job startLeader(TestInfo test, String... properties) {
        String name = test.getTestMethod().orElseThrow().getName();
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties(properties)
                .properties(
                        "neli.group-id=" + name,
                        "neli.lease-duration=30s", // longer than a busy machine stalls
                        "neli.roles=invoices",
                        "spring.kafka.bootstrap-servers=" + SharedBroker.address())
                .run();
        Job job = context.getBean(Job.class);
        until(() -> !job.describe().isEmpty());
        return job;
    }

    private State state() {
        return context.getBean(Neli.class).snapshot().partitions().get(0).state();
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        @Bean
        Job job(Environment environment) {
            return new Job(environment.getProperty("block", Boolean.class, false));
        }
    }

    static class Job {

        private final List<String> events = new CopyOnWriteArrayList<>();
        private final boolean block;
        private volatile String thread = "";

        Job(boolean block) {
            this.block = block;
        }

        @LeaderOnly
        public Optional<String> describe() {
            return Leadership.current()
                    .map(term -> term.role() + " " + term.token() + " " + MDC.get("neli.role") + " "
                            + MDC.get("neli.token"));
        }

        @LeaderOnly
        public CompletableFuture<String> future() {
            return new CompletableFuture<>();
        }

        @LeaderOnly
        public Mono<String> never() {
            return Mono.<String>never().doOnCancel(() -> events.add("cancelled"));
        }

        @Scheduled(fixedDelay = 100)
        @LeaderOnly
        public void block() {
            if (!block) {
                return;
            }
            thread = Thread.currentThread().toString();
            events.add("blocks");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                events.add("interrupted");
            }
        }

        @EventListener
        public void on(LeadershipEvent event) {
            String reason = event instanceof LeaderFencedEvent fenced ? " " + fenced.reason() : "";
            events.add(event.getClass().getSimpleName() + reason);
        }

        public List<String> events() {
            return List.copyOf(events);
        }

        public String thread() {
            return thread;
        }
    }
}
