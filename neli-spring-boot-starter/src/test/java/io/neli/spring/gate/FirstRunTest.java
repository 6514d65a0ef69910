package io.neli.spring.gate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderListener;
import io.neli.Leadership;
import io.neli.NeliException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(240)
class FirstRunTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withUserConfiguration(Fake.class);

    private static void awaitRuns(Job job, int runs) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(job.tokens()).hasSize(runs));
    }

    /** Several calls of a background task: what was to come with the term has come. */
    private static void letTheTermGoOn(FakeNeli neli) {
        AtomicInteger calls = new AtomicInteger();
        try (var task = neli.background("invoices", leadership -> calls.incrementAndGet())) {
            await().atMost(PATIENCE).until(() -> calls.get() > 5);
            assertThat(task).isNotNull();
        }
    }

    @Test
    void a_job_that_is_due_in_an_hour_runs_at_once_on_a_new_leader_and_once_in_each_term() {
        runner.withUserConfiguration(Scheduling.class).withBean(Hourly.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            Job job = context.getBean(Hourly.class);
            assertThat(job.tokens()).isEmpty();

            neli.acquire("invoices");
            awaitRuns(job, 1);
            letTheTermGoOn(neli);
            assertThat(job.tokens())
                    .containsExactly(neli.leadership("invoices").orElseThrow().token());

            neli.revoke("invoices");
            neli.acquire("invoices");
            awaitRuns(job, 2);
            assertThat(job.tokens()).doesNotHaveDuplicates();
        });
    }

    @Test
    void it_waits_for_the_listeners_and_the_handover_waits_for_it() {
        CountDownLatch prepared = new CountDownLatch(1);
        LeaderListener preparing = event -> {
            if (event instanceof LeaderAcquired) {
                awaitLatch(prepared);
            }
        };
        runner.withBean("preparing", LeaderListener.class, () -> preparing)
                .withBean(Blocking.class)
                .run(context -> {
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    Blocking job = context.getBean(Blocking.class);
                    CompletableFuture<Void> acquiring = CompletableFuture.runAsync(() -> neli.acquire("invoices"));
                    await().atMost(PATIENCE).until(() -> neli.isLeader("invoices"));
                    assertThat(job.tokens()).isEmpty();

                    prepared.countDown();
                    awaitRuns(job, 1);
                    acquiring.join();

                    CompletableFuture<Void> revoking = CompletableFuture.runAsync(() -> neli.revoke("invoices"));
                    await().atMost(PATIENCE).until(() -> !neli.isLeader("invoices"));
                    assertThat(revoking).isNotDone();
                    job.end();
                    assertThat(revoking).succeedsWithin(PATIENCE);
                });
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_context_that_is_started_while_it_leads_neither_waits_for_it_nor_cuts_it_nor_repeats_it() {
        runner.withPropertyValues("leading=true").withBean(Blocking.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            Blocking job = context.getBean(Blocking.class);
            awaitRuns(job, 1);

            context.getSourceApplicationContext().start();
            letTheTermGoOn(neli);
            assertThat(job.tokens()).hasSize(1);
            assertThat(job.isInterrupted()).isFalse();

            job.end();
            letTheTermGoOn(neli);
            context.getSourceApplicationContext().start();
            letTheTermGoOn(neli);
            assertThat(job.tokens()).hasSize(1);
        });
    }

    @Test
    void a_term_that_ends_before_it_leaves_nothing_behind() {
        LeaderListener failing = event -> {
            if (event instanceof LeaderAcquired) {
                throw new IllegalStateException("meant to fail");
            }
        };
        runner.withBean("failing", LeaderListener.class, () -> failing)
                .withBean(Blocking.class)
                .run(context -> {
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    for (int i = 0; i < 3; i++) {
                        assertThatThrownBy(() -> neli.acquire("invoices")).isInstanceOf(IllegalStateException.class);
                    }
                    await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                                    Thread.getAllStackTraces().keySet())
                            .extracting(Thread::getName)
                            .noneMatch(name -> name.startsWith("neli-fake-background")));
                    assertThat(context.getBean(Blocking.class).tokens()).isEmpty();
                });
    }

    @Test
    void a_tick_that_falls_into_it_is_skipped() {
        runner.withBean(Blocking.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            Blocking job = context.getBean(Blocking.class);
            neli.acquire("invoices");
            awaitRuns(job, 1);

            job.run();
            assertThat(job.tokens()).hasSize(1);

            job.end();
            letTheTermGoOn(neli);
            await().atMost(PATIENCE).untilAsserted(() -> {
                job.run();
                assertThat(job.tokens()).hasSize(2);
            });
        });
    }

    @Test
    void a_role_that_is_not_acquired_runs_nothing_and_one_that_fails_is_logged(CapturedOutput output) {
        runner.withBean(Failing.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire("mail");
            assertThat(output).doesNotContain("first run");

            neli.acquire("invoices");
            await().atMost(PATIENCE).until(() -> output.getOut().contains("has failed"));
            letTheTermGoOn(neli);
            assertThat(output).containsOnlyOnce("first run of " + Failing.class.getName() + ".run() has failed");
            assertThat(neli.isLeader("invoices")).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {OnClass.class, WithParameter.class, Throwing.class, Reactive.class})
    void it_is_refused_where_it_could_not_work(Class<?> type) {
        runner.withBean(type).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("@LeaderOnly cannot work on " + type.getName(), "runOnAcquired: "));
    }

    @Test
    void it_is_refused_on_what_is_not_a_singleton() {
        runner.withBean(Hourly.class, Hourly::new, definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
                .run(context -> assertThatThrownBy(() -> context.getBean(Hourly.class))
                        .rootCause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContaining("make it a singleton"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Fake {

        @Bean(destroyMethod = "")
        FakeNeli neli(Environment environment) {
            return FakeNeli.builder()
                    .leading(environment.getProperty("leading", Boolean.class, false))
                    .roles("invoices", "mail")
                    .partitions(2)
                    .handoverTimeout(PATIENCE)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    abstract static class Job {

        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        List<Long> tokens() {
            return tokens;
        }

        void record() {
            tokens.add(Leadership.current().orElseThrow().token());
        }
    }

    static class Hourly extends Job {

        @Scheduled(fixedRate = 1, initialDelay = 1, timeUnit = TimeUnit.HOURS)
        @LeaderOnly(role = "invoices", runOnAcquired = true)
        void run() {
            record();
        }
    }

    static class Blocking extends Job {

        private final CountDownLatch mayEnd = new CountDownLatch(1);

        private volatile boolean interrupted;

        void end() {
            mayEnd.countDown();
        }

        boolean isInterrupted() {
            return interrupted;
        }

        @LeaderOnly(role = "invoices", runOnAcquired = true)
        public void run() {
            record();
            awaitLatch(mayEnd);
            interrupted = Thread.currentThread().isInterrupted();
        }
    }

    static class Failing {

        @LeaderOnly(role = "invoices", runOnAcquired = true)
        void run() {
            throw new IllegalStateException("meant to fail");
        }
    }

    static class Reactive {

        @LeaderOnly(runOnAcquired = true)
        Mono<Void> run() {
            return Mono.empty();
        }
    }

    @LeaderOnly(runOnAcquired = true)
    static class OnClass {

        void run() {}
    }

    static class WithParameter {

        @LeaderOnly(runOnAcquired = true)
        void run(String parameter) {}
    }

    static class Throwing {

        @LeaderOnly(runOnAcquired = true, otherwise = Otherwise.THROW)
        void run() {}
    }
}
