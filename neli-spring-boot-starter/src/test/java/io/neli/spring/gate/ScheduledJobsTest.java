package io.neli.spring.gate;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.micrometer.observation.ObservationRegistry;
import io.neli.Job;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.LeaderOnly.Runs;
import io.neli.spring.ScheduledRun;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

@Timeout(240)
class ScheduledJobsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    /** Three o'clock, three days from now: later than the initial clock of the fake. */
    private static final Instant THREE =
            LocalDate.now(BERLIN).plusDays(3).atTime(3, 0).atZone(BERLIN).toInstant();

    private static final Instant THREE_NEXT_DAY =
            LocalDate.now(BERLIN).plusDays(4).atTime(3, 0).atZone(BERLIN).toInstant();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withUserConfiguration(Fake.class, Scheduling.class);

    @Test
    void a_run_that_nobody_led_at_its_time_is_made_up_for_once() {
        runner.withBean(CloseBooks.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            CloseBooks job = context.getBean(CloseBooks.class);
            neli.acquire();
            neli.dueAt(THREE.minusSeconds(1));
            int before = job.runs().size(); // one for each day since the fake was built
            neli.revoke();
            neli.dueAt(THREE.plusSeconds(600));
            assertThat(job.runs()).hasSize(before);

            neli.acquire();
            neli.dueAt(THREE.plusSeconds(601));
            neli.dueAt(THREE.plusSeconds(700));
            assertThat(job.runs()).hasSize(before + 1);
            ScheduledRun made = job.runs().get(before);
            assertThat(made.dueAt()).isEqualTo(THREE);
            assertThat(made.repeated()).isFalse();
            assertThat(made.leadership().token())
                    .isEqualTo(neli.leadership().orElseThrow().token());

            neli.dueAt(THREE_NEXT_DAY.plusMillis(1));
            assertThat(job.runs()).extracting(ScheduledRun::dueAt).endsWith(THREE, THREE_NEXT_DAY);
        });
    }

    /** As a call of another method is: none of them is the one to observe with. */
    @Test
    void a_run_is_not_observed_if_there_are_several_registries() {
        runner.withBean(CloseBooks.class)
                .withBean("first", ObservationRegistry.class, ObservationRegistry::create)
                .withBean("second", ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> {
                    context.getBean(FakeNeli.class).acquire();
                    context.getBean(FakeNeli.class).dueAt(THREE);
                    assertThat(context.getBean(CloseBooks.class).runs()).isNotEmpty();
                });
    }

    /** By a post processor without an order, which Spring creates after those that have one. */
    @Test
    void a_bean_that_is_created_early_is_a_job() {
        runner.withBean(CloseBooks.class).withBean(NeedsAJob.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(FakeNeli.class).snapshot().jobs()).hasSize(1);
        });
    }

    static class NeedsAJob implements BeanPostProcessor {

        NeedsAJob(CloseBooks job) {
            assertThat(job).isNotNull();
        }
    }

    /** Otherwise a bean could be used before it has its job, and what is wrong with it would refuse another one. */
    @Test
    void a_bean_that_is_created_late_gets_its_job_on_its_own_thread() {
        runner.run(context -> {
            RoleResolver roles = context.getBean(RoleResolver.class);
            ScheduledJobs jobs = context.getBean(ScheduledJobs.class);
            IntStream.range(0, 300_000).parallel().forEach(bean -> {
                AtomicReference<Thread> by = new AtomicReference<>();
                roles.check(() -> jobs.onceRefreshed.add(() -> by.set(Thread.currentThread())));
                assertThat(by).hasValue(Thread.currentThread());
            });
        });
    }

    @Test
    void of_several_that_were_missed_the_last_is_made_up_for() {
        runner.withBean(CloseBooks.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire();
            neli.revoke();
            neli.acquire();
            neli.dueAt(THREE_NEXT_DAY.plusSeconds(3));
            assertThat(context.getBean(CloseBooks.class).runs())
                    .extracting(ScheduledRun::dueAt)
                    .containsExactly(THREE_NEXT_DAY);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {AtLeastOnce.class, AtMostOnce.class, Retried.class})
    void a_run_whose_leader_was_fenced_is_repeated_or_not(Class<? extends Interrupted> type) {
        runner.withBean("job", type).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            Interrupted job = context.getBean(Interrupted.class);
            neli.acquire();
            CompletableFuture<Void> due = CompletableFuture.runAsync(() -> neli.dueAt(THREE));
            assertThat(job.begun().await(2, TimeUnit.MINUTES)).isTrue();
            neli.fence();
            assertThat(due).succeedsWithin(PATIENCE);
            job.mayEnd().countDown();

            neli.acquire();
            neli.dueAt(THREE.plusSeconds(1));
            if (type == AtMostOnce.class) {
                assertThat(job.runs()).hasSize(1);
            } else {
                assertThat(job.runs()).extracting(ScheduledRun::dueAt).containsExactly(THREE, THREE);
                assertThat(job.runs()).extracting(ScheduledRun::repeated).containsExactly(false, true);
            }
        });
    }

    @Test
    void what_has_failed_has_ended() {
        runner.withBean(Failing.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire();
            neli.dueAt(THREE);
            neli.revoke();
            neli.acquire();
            neli.dueAt(THREE.plusSeconds(1));
            assertThat(context.getBean(Failing.class).runs()).hasSize(1);
            NeliSnapshot.Job job = neli.snapshot().jobs().get(0);
            assertThat(job.name()).isEqualTo("failing");
            assertThat(job.nextDue()).contains(THREE_NEXT_DAY);
            assertThat(job.last()).hasValueSatisfying(last -> {
                assertThat(last.due()).isEqualTo(THREE);
                assertThat(last.succeeded()).isFalse();
                assertThat(last.ended()).isPresent();
            });
        });
    }

    @Test
    void runs_are_at_once_on_the_scheduler_that_a_configurer_sets_for_all_other_methods() {
        runner.withUserConfiguration(OwnScheduler.class)
                .withBean(OnThread.class)
                .run(context -> {
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    neli.acquire();
                    neli.dueAt(THREE.plusSeconds(1));
                    assertThat(context.getBean(OnThread.class).threads())
                            .isNotEmpty()
                            .allMatch(name -> name.startsWith("own-"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScheduler implements SchedulingConfigurer, DisposableBean {

        private final ThreadPoolTaskScheduler own = new ThreadPoolTaskScheduler();

        @Override
        public void configureTasks(ScheduledTaskRegistrar registrar) {
            own.setThreadNamePrefix("own-");
            own.setClock(Clock.offset(Clock.systemUTC(), Duration.ofDays(-1)));
            own.initialize();
            registrar.setTaskScheduler(own);
        }

        @Override
        public void destroy() {
            own.shutdown();
        }
    }

    static class OnThread {

        private final List<String> threads = new CopyOnWriteArrayList<>();

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {
            threads.add(Thread.currentThread().getName());
        }

        List<String> threads() {
            return threads;
        }
    }

    @Test
    void ticks_of_the_scheduler_and_other_calls_run_nothing() {
        runner.withBean(Often.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            Often job = context.getBean(Often.class);
            neli.acquire();
            neli.dueAt(THREE);
            int runs = job.runs().size(); // one for the last time that was due, and perhaps one for the first
            assertThat(runs).isBetween(1, 2);
            await().atMost(PATIENCE).until(() -> job.ticks().size() > 20);
            job.run();
            assertThat(job.runs()).hasSize(runs);
        });
    }

    @Test
    void a_job_can_be_run_at_any_time() {
        runner.withBean(CloseBooks.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            CloseBooks job = context.getBean(CloseBooks.class);
            assertThatThrownBy(() -> neli.runNow("closeBooks")).isInstanceOf(NotLeaderException.class);
            neli.acquire();
            Instant now = THREE.plusSeconds(60);
            neli.dueAt(now);
            neli.runNow("closeBooks");
            neli.dueAt(now);
            assertThat(job.runs()).extracting(ScheduledRun::dueAt).containsExactly(THREE, now);
            assertThatThrownBy(() -> neli.runNow("close"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no job 'close': the jobs are [closeBooks]");
        });
    }

    /** In March 02:30 does not exist on that day, and in October it exists twice. */
    @ParameterizedTest
    @ValueSource(ints = {3, 10})
    void a_job_runs_once_on_the_day_when_the_clock_changes(int month) {
        runner.withBean(HalfPastTwo.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            LocalDate sunday = LocalDate.of(LocalDate.now(BERLIN).getYear() + 1, month, 31);
            while (sunday.getDayOfWeek() != java.time.DayOfWeek.SUNDAY) {
                sunday = sunday.minusDays(1);
            }
            List<ScheduledRun> runs = context.getBean(HalfPastTwo.class).runs();
            neli.acquire();
            neli.dueAt(sunday.atStartOfDay(BERLIN).toInstant());
            runs.clear();
            for (int day = 0; day < 3; day++) {
                Instant end = sunday.plusDays(day + 1).atStartOfDay(BERLIN).toInstant();
                for (Instant time = sunday.plusDays(day).atStartOfDay(BERLIN).toInstant();
                        time.isBefore(end);
                        time = time.plusSeconds(600)) {
                    neli.dueAt(time);
                }
                assertThat(runs).hasSize(day + 1);
            }
            assertThat(runs)
                    .extracting(run -> run.dueAt().atZone(BERLIN).toLocalTime())
                    .containsExactly(LocalTime.of(month == 3 ? 3 : 2, 30), LocalTime.of(2, 30), LocalTime.of(2, 30));
        });
    }

    @Test
    void the_guarantee_may_be_that_of_an_interface_which_the_declaring_class_does_not_know() {
        runner.withBean("nightly", NightlyOfBase.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire();
            neli.dueAt(THREE_NEXT_DAY);
            assertThat(context.getBean(NightlyOfBase.class).runs())
                    .extracting(ScheduledRun::dueAt)
                    .contains(THREE_NEXT_DAY);
        });
    }

    @Test
    void its_schedule_may_be_computed_by_expressions_as_everywhere() {
        runner.withBean(Computed.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire();
            neli.dueAt(THREE.plusSeconds(1));
            assertThat(context.getBean(Computed.class).runs())
                    .extracting(ScheduledRun::dueAt)
                    .containsExactly(THREE);
        });
    }

    @Test
    void without_an_election_jobs_run_at_their_times() {
        withoutElection().withBean(Often.class).run(context -> {
            Often job = context.getBean(Often.class);
            await().atMost(PATIENCE).until(() -> job.runs().size() > 5);
            assertThat(job.runs()).extracting(ScheduledRun::repeated).containsOnly(false);
            assertThat(job.runs()).extracting(ScheduledRun::dueAt).doesNotHaveDuplicates();
        });
    }

    @Test
    void no_run_begins_before_the_context_is_refreshed_and_its_scheduler_is_set() {
        AtomicBoolean begun = new AtomicBoolean();
        withoutElection()
                .withUserConfiguration(OwnScheduler.class)
                .withBean(AtOnce.class)
                .withBean(
                        WhileStarting.class,
                        () -> new WhileStarting(context -> {
                            try (var child = new AnnotationConfigApplicationContext()) {
                                child.setParent(context);
                                child.refresh(); // the parent is notified of that too
                            }
                            awaitRunsOfLaterJob(20, context.getBean(Neli.class));
                            begun.set(!context.getBean(AtOnce.class).threads().isEmpty());
                        }))
                .run(context -> {
                    assertThat(begun).isFalse();
                    List<String> threads = context.getBean(AtOnce.class).threads();
                    await().atMost(PATIENCE).until(() -> threads.size() > 1);
                    assertThat(threads).allMatch(name -> name.startsWith("own-"));
                });
    }

    /** Adds a job after all others, and waits until it has run: then their first runs were due. */
    private static void awaitRunsOfLaterJob(int times, Neli neli) {
        AtomicInteger runs = new AtomicInteger();
        neli.schedule(new Job(
                "later",
                neli.defaultRole(),
                new Job.FixedRate(Duration.ofMillis(10), Duration.ZERO),
                Job.Guarantee.AT_LEAST_ONCE,
                Runnable::run,
                run -> runs.incrementAndGet()));
        await().atMost(PATIENCE).until(() -> runs.get() >= times);
        neli.unschedule("later");
    }

    private static ApplicationContextRunner withoutElection() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withPropertyValues("neli.enabled=false", "neli.when-disabled=run");
    }

    static class AtOnce {

        private final List<String> threads = new CopyOnWriteArrayList<>();

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {
            threads.add(Thread.currentThread().getName());
        }

        List<String> threads() {
            return threads;
        }
    }

    static class WhileStarting implements SmartLifecycle, ApplicationContextAware {

        private final Consumer<ApplicationContext> step;
        private ApplicationContext context;
        private volatile boolean started;

        WhileStarting(Consumer<ApplicationContext> step) {
            this.step = step;
        }

        @Override
        public void setApplicationContext(ApplicationContext context) {
            this.context = context;
        }

        @Override
        public void start() {
            started = true;
            step.accept(context);
        }

        @Override
        public void stop() {
            started = false;
        }

        @Override
        public boolean isRunning() {
            return started;
        }
    }

    @Test
    void without_an_election_no_thread_outlives_the_jobs_of_the_context() {
        withoutElection().withBean(Often.class).run(context -> await().atMost(PATIENCE)
                .until(ScheduledJobsTest::hasJobThread));

        await().atMost(PATIENCE).until(() -> !hasJobThread());
    }

    @Test
    void a_lazy_application_has_its_jobs() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
                .withUserConfiguration(Fake.class)
                .withBean(CloseBooks.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(
                                context.getBean(FakeNeli.class).snapshot().jobs())
                        .extracting(NeliSnapshot.Job::name)
                        .containsExactly("closeBooks"));
    }

    private static boolean hasJobThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("neli-disabled-jobs"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnClass.class,
                Unscheduled.class,
                Twice.class,
                Throwing.class,
                Reactive.class,
                InBackground.class,
                InBackgroundByItsClass.class,
                OneTime.class
            })
    void it_is_refused_where_it_could_not_work(Class<?> type) {
        runner.withBean(type).run(context -> assertThat(context)
                .getFailure()
                .cause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("@LeaderOnly cannot work on " + type.getName(), "runs"));
    }

    @Test
    void a_method_that_returns_a_value_is_refused_with_the_fix_for_a_job() {
        runner.withBean(Counting.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("it returns int")
                .hasMessageEndingWith("; return void"));
    }

    static class Counting {

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        int run() {
            return 1;
        }
    }

    @Test
    void it_is_refused_on_what_an_annotation_of_the_application_makes_asynchronous() {
        runner.withUserConfiguration(BackgroundSetup.class)
                .withBean(InBackgroundOfItsOwn.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .cause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContaining("it is @Async"));
    }

    @Test
    void it_is_refused_on_what_is_not_a_singleton_and_where_two_have_one_name() {
        runner.withBean(
                        CloseBooks.class,
                        CloseBooks::new,
                        definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
                .run(context -> assertThatThrownBy(() -> context.getBean(CloseBooks.class))
                        .rootCause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContaining("make it a singleton"));
        runner.run(context -> assertThatThrownBy(
                        () -> context.getAutowireCapableBeanFactory().createBean(CloseBooks.class))
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("make it a singleton"));
        runner.withBean("one", CloseBooks.class)
                .withBean("other", CloseBooks.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(NeliException.class)
                        .hasMessage("@LeaderOnly cannot work on " + CloseBooks.class.getName()
                                + ".run(): there are two jobs named 'closeBooks', and their runs are recorded by name;"
                                + " give one of them another name"));
    }

    @Test
    void the_method_of_a_name_or_rate_that_is_refused_is_named() {
        runner.withBean(WithoutPause.class).run(context -> assertThat(context)
                .getFailure()
                .cause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "@LeaderOnly cannot work on " + WithoutPause.class.getName() + ".run()",
                        "the rate of a job is 'PT0S'"));
        runner.withBean("b".repeat(200), Unnamed.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "@LeaderOnly cannot work on " + Unnamed.class.getName() + ".run()", "use 1 to 200 characters"));
    }

    @ParameterizedTest
    @ValueSource(classes = {NamedTick.class, NamedClass.class})
    void a_name_without_runs_is_refused(Class<?> type) {
        runner.withBean(type).run(context -> assertThat(context)
                .getFailure()
                .cause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "@LeaderOnly cannot work on " + type.getName() + ".run()",
                        "it has a name, 'nightly', but is not a job without 'runs'",
                        "add runs, such as runs = AT_LEAST_ONCE, or leave out 'name'"));
    }

    static class NamedTick {

        @Scheduled(fixedRate = 10)
        @LeaderOnly(name = "nightly")
        void run() {}
    }

    @LeaderOnly(name = "nightly")
    static class NamedClass {

        @Scheduled(fixedRate = 10)
        void run() {}
    }

    @Test
    void a_placeholder_without_a_value_in_a_name_is_refused() {
        runner.withBean(WithPlaceholder.class).run(context -> assertThat(context)
                .getFailure()
                .cause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "@LeaderOnly cannot work on " + WithPlaceholder.class.getName() + ".run()",
                        "the placeholder in its name '${nightly.name}' has no value"));
        runner.withPropertyValues("nightly.name=nightly")
                .withBean(WithPlaceholder.class)
                .run(context -> assertThat(
                                context.getBean(FakeNeli.class).snapshot().jobs())
                        .extracting(NeliSnapshot.Job::name)
                        .containsExactly("nightly"));
    }

    static class WithPlaceholder {

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE, name = "${nightly.name}")
        void run() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {LongRate.class, LongInitialDelay.class})
    void the_method_of_a_time_that_is_too_long_is_named(Class<?> type) {
        runner.withBean(type).run(context -> assertThat(context)
                .getFailure()
                .cause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("@LeaderOnly cannot work on " + type.getName() + ".run()", "too long"));
    }

    static class LongRate {

        @Scheduled(fixedRate = Long.MAX_VALUE, timeUnit = TimeUnit.DAYS)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    static class LongInitialDelay {

        @Scheduled(fixedRate = 10, initialDelay = Long.MIN_VALUE, timeUnit = TimeUnit.DAYS)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Fake {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().handoverTimeout(PATIENCE).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    abstract static class Recording {

        private final List<ScheduledRun> runs = new CopyOnWriteArrayList<>();

        List<ScheduledRun> runs() {
            return runs;
        }

        void record() {
            ScheduledRun run = ScheduledRun.current().orElseThrow();
            assertThat(Leadership.current().orElseThrow().token())
                    .isEqualTo(run.leadership().token());
            runs.add(run);
        }
    }

    static class CloseBooks extends Recording {

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE, name = "closeBooks")
        void run() {
            record();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Background {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(annotation = Background.class, proxyTargetClass = true)
    static class BackgroundSetup {}

    static class InBackgroundOfItsOwn extends Recording {

        @Background
        @Scheduled(cron = "0 0 3 * * *")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {
            record();
        }
    }

    interface Nightly {

        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run();
    }

    static class Base extends Recording {

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        public void run() {
            record();
        }
    }

    static class NightlyOfBase extends Base implements Nightly {}

    static class Computed extends Recording {

        @Scheduled(cron = "#{'0 0 3 * * *'}", zone = "#{'Europe/' + 'Berlin'}")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {
            record();
        }
    }

    static class HalfPastTwo extends Recording {

        @Scheduled(cron = "0 30 2 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {
            record();
        }
    }

    abstract static class Interrupted extends Recording {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        CountDownLatch begun() {
            return begun;
        }

        CountDownLatch mayEnd() {
            return mayEnd;
        }

        void await() throws InterruptedException {
            record();
            begun.countDown();
            mayEnd.await();
        }
    }

    static class AtLeastOnce extends Interrupted {

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() throws InterruptedException {
            await();
        }
    }

    /** Its attempts end with its term. */
    @EnableResilientMethods(proxyTargetClass = true)
    static class Retried extends Interrupted {

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        @Retryable(delay = 1)
        void run() throws InterruptedException {
            await();
        }
    }

    static class AtMostOnce extends Interrupted {

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_MOST_ONCE)
        void run() throws InterruptedException {
            await();
        }
    }

    static class Failing extends Recording {

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE, name = "failing")
        void run() {
            record();
            throw new IllegalStateException("meant to fail");
        }
    }

    static class Often extends Recording {

        private final List<Instant> ticks = new CopyOnWriteArrayList<>();

        List<Instant> ticks() {
            return ticks;
        }

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_MOST_ONCE)
        void run() {
            record();
        }

        @Scheduled(fixedRate = 10)
        void tick() {
            ticks.add(Instant.now());
        }
    }

    @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
    static class OnClass {

        @Scheduled(fixedRate = 10)
        void run() {}
    }

    static class Unscheduled {

        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    static class Twice {

        @Scheduled(fixedRate = 10)
        @Scheduled(cron = "0 0 3 * * *")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    static class OneTime {

        @Scheduled(initialDelay = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    static class WithoutPause {

        @Scheduled(fixedRate = 0)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    static class Unnamed {

        @Scheduled(cron = "0 0 3 * * *")
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    static class Throwing {

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE, otherwise = Otherwise.THROW)
        void run() {}
    }

    static class Reactive {

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        Mono<Void> run() {
            return Mono.empty();
        }
    }

    static class InBackground {

        @Async
        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        void run() {}
    }

    @Async
    static class InBackgroundByItsClass extends Often {}
}
