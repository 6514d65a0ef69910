package io.neli.spring.docs;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobListener;
import org.quartz.TriggerBuilder;
import org.quartz.listeners.JobListenerSupport;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.listener.StepExecutionListener;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.scheduling.quartz.SpringBeanJobFactory;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

/** Runs the code that docs/integrations.md shows and links to, with each library. */
@Timeout(240)
class IntegrationsPageTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String PAGE = "docs/integrations.md";

    @TempDir
    static Path classes;

    private static ClassLoader shown;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withUserConfiguration(Fake.class)
            .withClassLoader(shown);

    @BeforeAll
    static void compile() throws IOException {
        List<String> files = new ArrayList<>(CodeBlock.codeOn(PAGE, "java"));
        for (String linked :
                List.of("LeaderScheduler.java", "StatementRun.java", "WhileLeading.java", "IntegrationEvents.java")) {
            files.add(Files.readString(
                    CodeBlock.PROJECT.resolve("docs/integrations").resolve(linked)));
        }
        assertThat(new JavaCode(classes).compileFiles(files)).isEmpty();
        shown = new URLClassLoader(new URL[] {classes.toUri().toURL()}, IntegrationsPageTest.class.getClassLoader());
    }

    private static Class<?> shown(String name) {
        try {
            return shown.loadClass("com.example.billing." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void call(Object bean, String method) {
        ReflectionTestUtils.invokeMethod(bean, method);
    }

    @Test
    void a_job_of_quartz_runs_on_the_leader() {
        runner.withUserConfiguration(Quartz.class).run(context -> {
            Results results = context.getBean(Results.class);
            org.quartz.Scheduler scheduler = context.getBean(org.quartz.Scheduler.class);
            fire(scheduler);
            await().atMost(PATIENCE).until(() -> results.all.size() == 1);
            assertThat(results.all).containsExactly("null");

            context.getBean(FakeNeli.class).acquire();
            fire(scheduler);
            await().atMost(PATIENCE).until(() -> results.all.size() == 2);
            assertThat(results.all.get(1)).startsWith("settled with token ");
        });
    }

    private static void fire(org.quartz.Scheduler scheduler) throws Exception {
        scheduler.scheduleJob(
                JobBuilder.newJob(shown("SettlementJob").asSubclass(Job.class)).build(),
                TriggerBuilder.newTrigger().startNow().build());
    }

    @Test
    void db_scheduler_polls_on_the_leader() {
        runner.withUserConfiguration(DbScheduler.class)
                .withBean(shown("LeaderScheduler"))
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    AtomicInteger executions = context.getBean(AtomicInteger.class);
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    schedule(context, "first");
                    assertThat(scheduler.getSchedulerState().isStarted()).isFalse();

                    neli.acquire();
                    await().atMost(PATIENCE).until(() -> executions.get() == 1);
                    neli.revoke();
                    assertThat(scheduler.getSchedulerState().isPaused()).isTrue();
                    schedule(context, "second");
                    neli.acquire();
                    await().atMost(PATIENCE).until(() -> executions.get() == 2);
                });
    }

    @SuppressWarnings("unchecked")
    private static void schedule(AssertableApplicationContext context, String id) {
        OneTimeTask<Void> task = context.getBean(OneTimeTask.class);
        context.getBean(Scheduler.class).schedule(task.instance(id), Instant.now());
    }

    @Test
    void a_batch_job_stops_in_a_handover_and_goes_on_with_the_next_leader() {
        runner.withUserConfiguration(Batch.class)
                .withBean(shown("StatementRun"))
                .withBean(shown("WhileLeading"))
                .run(context -> {
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    Chunks chunks = context.getBean(Chunks.class);
                    Object statements = context.getBean(shown("StatementRun"));
                    call(statements, "run");
                    assertThat(last(context)).isNull();

                    neli.acquire();
                    Thread running = new Thread(() -> call(statements, "run"));
                    running.start();
                    await().atMost(PATIENCE).until(() -> chunks.done.get() > 0);
                    neli.revoke();
                    running.join();
                    assertThat(last(context).getStatus()).isEqualTo(BatchStatus.STOPPED);

                    chunks.last.countDown();
                    neli.acquire();
                    call(statements, "run");
                    assertThat(last(context).getStatus()).isEqualTo(BatchStatus.COMPLETED);
                    call(statements, "run");
                    assertThat(context.getBean(JobRepository.class)
                                    .getJobExecutions(last(context).getJobInstance()))
                            .hasSize(2);
                });
    }

    @Test
    void a_batch_job_of_a_leader_that_crashed_is_recovered() {
        runner.withUserConfiguration(Batch.class)
                .withBean(shown("StatementRun"))
                .withBean(shown("WhileLeading"))
                .run(context -> {
                    JobRepository repository = context.getBean(JobRepository.class);
                    var parameters = new JobParametersBuilder()
                            .addLocalDate("day", LocalDate.now())
                            .toJobParameters();
                    JobExecution crashed = repository.createJobExecution(
                            repository.createJobInstance("statements", parameters),
                            parameters,
                            new org.springframework.batch.infrastructure.item.ExecutionContext());
                    crashed.setStatus(BatchStatus.STARTED);
                    crashed.setStartTime(java.time.LocalDateTime.now());
                    repository.update(crashed);
                    context.getBean(Chunks.class).last.countDown();

                    context.getBean(FakeNeli.class).acquire();
                    call(context.getBean(shown("StatementRun")), "run");

                    assertThat(last(context).getStatus()).isEqualTo(BatchStatus.COMPLETED);
                });
    }

    private static JobExecution last(AssertableApplicationContext context) {
        return context.getBean(JobRepository.class)
                .getLastJobExecution(
                        "statements",
                        new JobParametersBuilder()
                                .addLocalDate("day", LocalDate.now())
                                .toJobParameters());
    }

    @Test
    void publications_of_modulith_are_repeated_by_the_leader() {
        IncompleteEventPublications incomplete = mock(IncompleteEventPublications.class);
        runner.withBean(IncompleteEventPublications.class, () -> incomplete)
                .withBean(shown("Publications"))
                .run(context -> {
                    call(context.getBean(shown("Publications")), "repeat");
                    verifyNoInteractions(incomplete);
                    context.getBean(FakeNeli.class).acquire();
                    call(context.getBean(shown("Publications")), "repeat");
                    verify(incomplete).resubmitIncompletePublicationsOlderThan(Duration.ofMinutes(5));
                });
    }

    @Test
    void spring_integration_gets_its_own_events() {
        runner.withBean(shown("IntegrationEvents")).withBean(Granted.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire();
            neli.revoke();
            neli.acquire();
            neli.fence();
            assertThat(context.getBean(Granted.class).events)
                    .containsExactly(
                            "granted default, leading: true",
                            "revoked default, leading: false",
                            "granted default, leading: true",
                            "revoked default, leading: false");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Fake {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().leading(false).handoverTimeout(PATIENCE).build();
        }
    }

    static class Results extends JobListenerSupport {

        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public String getName() {
            return "results";
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, JobExecutionException failure) {
            all.add(String.valueOf(failure == null ? context.getResult() : failure));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Quartz {

        @Bean
        Results results() {
            return new Results();
        }

        /** Creates the scheduler as Spring Boot does. */
        @Bean
        SchedulerFactoryBean scheduler(JobListener results, org.springframework.context.ApplicationContext context) {
            SchedulerFactoryBean scheduler = new SchedulerFactoryBean();
            SpringBeanJobFactory jobs = new SpringBeanJobFactory();
            jobs.setApplicationContext(context);
            scheduler.setJobFactory(jobs);
            scheduler.setGlobalJobListeners(results);
            return scheduler;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DbScheduler {

        private static final String TABLE =
                """
                create table scheduled_tasks (
                  task_name varchar(100) not null,
                  task_instance varchar(100) not null,
                  task_data blob,
                  execution_time timestamp with time zone not null,
                  picked boolean not null,
                  picked_by varchar(50),
                  last_success timestamp with time zone,
                  last_failure timestamp with time zone,
                  consecutive_failures int,
                  last_heartbeat timestamp with time zone,
                  version bigint not null,
                  priority smallint,
                  primary key (task_name, task_instance)
                )
                """;

        @Bean
        AtomicInteger executions() {
            return new AtomicInteger();
        }

        @Bean
        OneTimeTask<Void> task(AtomicInteger executions) {
            return Tasks.oneTime("settle").execute((instance, context) -> executions.incrementAndGet());
        }

        @Bean(destroyMethod = "stop")
        Scheduler scheduler(OneTimeTask<Void> task, DataSource database) {
            return Scheduler.create(database, task)
                    .pollingInterval(Duration.ofMillis(50))
                    .build();
        }

        @Bean(destroyMethod = "shutdown")
        DataSource database() {
            DataSource database = new EmbeddedDatabaseBuilder()
                    .generateUniqueName(true)
                    .setType(EmbeddedDatabaseType.H2)
                    .build();
            new JdbcTemplate(database).execute(TABLE);
            return database;
        }
    }

    static class Chunks {

        final AtomicInteger done = new AtomicInteger();
        final CountDownLatch last = new CountDownLatch(1);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableBatchProcessing
    @EnableJdbcJobRepository
    static class Batch {

        @Bean
        Chunks chunks() {
            return new Chunks();
        }

        @Bean
        org.springframework.batch.core.job.Job statements(
                JobRepository repository,
                PlatformTransactionManager transactionManager,
                Chunks chunks,
                StepExecutionListener whileLeading) {
            return new org.springframework.batch.core.job.builder.JobBuilder("statements", repository)
                    .start(new StepBuilder("all", repository)
                            .tasklet(
                                    (contribution, context) -> {
                                        chunks.done.incrementAndGet();
                                        return chunks.last.await(10, TimeUnit.MILLISECONDS)
                                                ? RepeatStatus.FINISHED
                                                : RepeatStatus.CONTINUABLE;
                                    },
                                    transactionManager)
                            .listener(whileLeading)
                            .build())
                    .build();
        }

        @Bean(destroyMethod = "shutdown")
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .generateUniqueName(true)
                    .setType(EmbeddedDatabaseType.H2)
                    .addScript("org/springframework/batch/core/schema-h2.sql")
                    .build();
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    static class Granted {

        final List<String> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(AbstractLeaderEvent event) {
            events.add((event instanceof OnGrantedEvent ? "granted " : "revoked ") + event.getRole() + ", leading: "
                    + event.getContext().isLeader());
        }
    }
}
