package io.neli.spring.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Runs;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import reactor.core.publisher.Mono;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static io.neli.spring.LeaderOnly.Otherwise.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Which calls are observed, and what an observation says. */
class LeaderOnlyObservationsTest {

    private static final String CALL = "neli.call";
    private static final String TICK = "tasks.scheduled.execution";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final TestObservationRegistry observed = TestObservationRegistry.create();
    private final FakeNeli neli =
            FakeNeli.builder().roles("invoices").handoverTimeout(PATIENCE).build();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ObservationAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withBean(TestObservationRegistry.class, () -> observed)
            .withBean(FakeNeli.class, () -> neli)
            .withBean(Job.class);

    private interface Use {

        void of(Job job) throws Exception;
    }

    private static ContextConsumer<AssertableApplicationContext> using(Use use) {
        return context -> use.of(context.getBean(Job.class));
    }

    private void onLeader(Use use) {
        runner.run(using(job -> {
            neli.acquire();
            use.of(job);
        }));
    }

    private String token() {
        return Long.toString(neli.leadership("invoices").orElseThrow().token());
    }

    @Test
    void a_call_that_runs_is_observed_with_its_method_role_and_token() {
        onLeader(job -> {
            Observation outer = Observation.start("outer", observed);
            outer.scoped(job::settle);
            outer.stop();

            assertThat(observed)
                    .hasNumberOfObservationsWithNameEqualTo(CALL, 1)
                    .hasObservationWithNameEqualTo(CALL)
                    .that()
                    .hasLowCardinalityKeyValue("method", Job.class.getName() + ".settle()")
                    .hasHighCardinalityKeyValue("neli.role", "invoices")
                    .hasHighCardinalityKeyValue("neli.token", token())
                    .hasParentObservationEqualTo(outer)
                    .doesNotHaveError()
                    .hasBeenStopped();
            assertThat(job.within()).as("what the method does is part of it").isEqualTo(CALL);
        });
    }

    @Test
    void a_call_that_is_skipped_or_refused_is_not_observed() {
        runner.run(using(job -> {
            job.settle();
            assertThatThrownBy(job::strict).isInstanceOf(NotLeaderException.class);
            assertThat(job.later().block(PATIENCE)).isNull();

            assertThat(observed).doesNotHaveAnyObservation();
        }));
    }

    @Test
    void what_a_call_throws_is_its_error() {
        onLeader(job -> {
            assertThatThrownBy(job::fail).hasMessage("broken");

            assertThat(observed)
                    .hasSingleObservationThat()
                    .hasError()
                    .thenError()
                    .hasMessage("broken");
        });
    }

    @Test
    void a_call_that_returns_a_future_is_observed_until_that_completes() {
        onLeader(job -> {
            assertThat(job.future()).isNotDone();
            assertThat(observed).hasSingleObservationThat().isNotStopped();

            job.completeExceptionally(new IllegalStateException("broken"));

            assertThat(observed)
                    .hasSingleObservationThat()
                    .hasBeenStopped()
                    .thenError()
                    .hasMessage("broken");
        });
    }

    @Test
    void each_subscription_is_observed_until_it_terminates() {
        onLeader(job -> {
            Observation outer = Observation.start("outer", observed);
            Mono<String> seen = job.later();
            assertThat(observed).hasNumberOfObservationsEqualTo(1);

            assertThat(seen.contextWrite(context -> context.put("micrometer.observation", outer))
                            .block(PATIENCE))
                    .isEqualTo(CALL);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(observed)
                    .hasObservationWithNameEqualTo(CALL)
                    .that()
                    .hasHighCardinalityKeyValue("neli.token", token())
                    .hasParentObservationEqualTo(outer)
                    .hasBeenStopped());
            outer.stop();
        });
    }

    @Test
    void a_tick_of_the_scheduler_is_observed_once_by_spring_and_carries_the_term() {
        onLeader(job -> {
            new ScheduledMethodRunnable(job, job.getClass().getMethod("settle"), null, () -> observed).run();

            assertThat(observed)
                    .hasSingleObservationThat()
                    .hasNameEqualTo(TICK)
                    .hasHighCardinalityKeyValue("neli.role", "invoices")
                    .hasHighCardinalityKeyValue("neli.token", token());
        });
    }

    @Test
    void so_is_a_run_of_a_job() {
        onLeader(job -> {
            neli.dueAt(Instant.now().plus(Duration.ofDays(2)));

            assertThat(observed)
                    .hasNumberOfObservationsWithNameEqualTo(CALL, 0)
                    .hasObservationWithNameEqualTo(TICK)
                    .that()
                    .hasHighCardinalityKeyValue("neli.token", token());
        });
    }

    @Test
    void a_call_from_within_another_tick_is_observed() {
        onLeader(job -> {
            new ScheduledMethodRunnable(job, job.getClass().getMethod("everywhere"), null, () -> observed).run();

            assertThat(observed)
                    .hasNumberOfObservationsWithNameEqualTo(CALL, 1)
                    .hasNumberOfObservationsWithNameEqualTo(TICK, 1);
        });
    }

    @Test
    void the_property_of_spring_boot_switches_it_off() {
        runner.withPropertyValues("management.observations.enable.neli=false").run(using(job -> {
            neli.acquire();
            job.settle();

            assertThat(job.within()).isNotEqualTo("nothing");
            assertThat(observed).doesNotHaveAnyObservation();
        }));
    }

    public static class Job {

        private final CompletableFuture<String> future = new CompletableFuture<>();
        private final TestObservationRegistry observed;
        private final ObjectProvider<Job> proxy;
        private volatile String within = "nothing";

        public Job(TestObservationRegistry observed, ObjectProvider<Job> proxy) {
            this.observed = observed;
            this.proxy = proxy;
        }

        @LeaderOnly
        public void settle() {
            Observation current = observed.getCurrentObservation();
            within = current == null
                    ? "no observation"
                    : current.getContextView().getName();
        }

        @LeaderOnly(otherwise = THROW)
        public void strict() {}

        @LeaderOnly
        public void fail() {
            throw new IllegalStateException("broken");
        }

        @LeaderOnly
        public CompletableFuture<String> future() {
            return future;
        }

        @LeaderOnly
        public Mono<String> later() {
            return Mono.deferContextual(context -> Mono.just(context.<Observation>get("micrometer.observation")
                    .getContextView()
                    .getName()));
        }

        @Scheduled(cron = "0 0 3 * * *")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        public void closeBooks() {}

        public void everywhere() {
            proxy.getObject().settle();
        }

        public String within() {
            return within;
        }

        public void completeExceptionally(Throwable failure) {
            future.completeExceptionally(failure);
        }
    }
}
