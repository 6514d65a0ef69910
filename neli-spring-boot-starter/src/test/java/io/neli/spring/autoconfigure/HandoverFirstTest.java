package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.neli.Neli;
import io.neli.NeliSnapshot.Status;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.Startable;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** What running work needs is available until a handover is over, and before the election starts. */
@Timeout(180)
class HandoverFirstTest {

    private ConfigurableApplicationContext context;

    /** The ways in which a context ends its election. */
    enum Ending {
        CLOSE(ConfigurableApplicationContext::close),
        STOP(ConfigurableApplicationContext::stop),
        PAUSE(ConfigurableApplicationContext::pause);

        private final Consumer<ConfigurableApplicationContext> step;

        Ending(Consumer<ConfigurableApplicationContext> step) {
            this.step = step;
        }
    }

    @AfterEach
    void close() {
        context.close();
    }

    @ParameterizedTest
    @EnumSource
    void running_work_ends_before_beans_of_the_default_phase_stop_and_executors_refuse_tasks(Ending ending)
            throws Exception {
        context = run(Application.class);
        Steps steps = context.getBean(Steps.class);
        CompletableFuture<Void> work = CompletableFuture.runAsync(context.getBean(Job.class)::settle);
        steps.begun.await();

        ending.step.accept(context);

        assertThat(work).succeedsWithin(1, TimeUnit.MINUTES);
        assertThat(steps.journal).containsExactly("executor runs", "executor runs", "before runs", "late runs");
    }

    @Test
    void an_asynchronous_event_multicaster_does_not_move_the_handover() throws Exception {
        context = run(Application.class, Asynchronous.class);
        Steps steps = context.getBean(Steps.class);
        CompletableFuture<Void> work = CompletableFuture.runAsync(context.getBean(Job.class)::settle);
        steps.begun.await();

        context.close();

        assertThat(work).succeedsWithin(1, TimeUnit.MINUTES);
        assertThat(steps.journal).containsExactly("executor runs", "executor runs", "before runs", "late runs");
    }

    @Test
    void the_election_starts_after_beans_of_the_default_phase_each_time() {
        context = run(Application.class);
        Part before = context.getBean("before", Part.class);
        Part late = context.getBean("late", Part.class);
        assertThat(before.elections).containsExactly(Status.STOPPED);
        assertThat(late.elections).containsExactly(Status.STOPPED);

        context.stop();
        context.start();
        context.pause();
        context.restart();

        assertThat(before.elections).hasSize(3).containsOnly(Status.STOPPED);
        assertThat(late.elections).hasSize(3).containsOnly(Status.STOPPED);
        assertThat(context.getBean(Neli.class).isLeader()).isTrue();
    }

    @Test
    void a_bean_of_the_default_phase_that_does_not_start_by_itself_is_left_alone() {
        context = run(Application.class, Manual.class);

        assertThat(context.getBean("manual", Part.class).isRunning()).isFalse();
    }

    @Test
    void a_child_context_that_closes_does_not_stop_the_election_of_its_parent() {
        context = run(Application.class);
        FakeNeli neli = context.getBean(FakeNeli.class);

        new SpringApplicationBuilder(Child.class)
                .web(WebApplicationType.NONE)
                .parent(context)
                .run()
                .close();
        assertThat(neli.isLeader()).isTrue();

        context.close();
        context.close();
        assertThat(neli.snapshot().status()).isEqualTo(Status.STOPPED);
    }

    private static ConfigurableApplicationContext run(Class<?>... sources) {
        return new SpringApplicationBuilder(sources)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Part before(ObjectProvider<Neli> neli) {
            return new Part(neli, true);
        }

        @Bean
        ThreadPoolTaskExecutor taskExecutor() {
            return new ThreadPoolTaskExecutor();
        }

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder()
                    .leading(true)
                    .handoverTimeout(Duration.ofMinutes(2))
                    .build();
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }

        @Bean
        Steps steps() {
            return new Steps();
        }

        @Bean
        Job job(Steps steps, ListableBeanFactory beans) {
            return new Job(steps, beans);
        }

        /** Defines a bean after the beans of all auto-configurations. */
        @Bean
        static BeanDefinitionRegistryPostProcessor latecomer(ListableBeanFactory beans) {
            return new Late(beans);
        }
    }

    record Late(ListableBeanFactory beans) implements BeanDefinitionRegistryPostProcessor {

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            registry.registerBeanDefinition(
                    "late",
                    BeanDefinitionBuilder.genericBeanDefinition(
                                    Part.class, () -> new Part(beans.getBeanProvider(Neli.class), true))
                            .getBeanDefinition());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Manual {

        @Bean
        Part manual(ObjectProvider<Neli> neli) {
            return new Part(neli, false);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Child {}

    @Configuration(proxyBeanMethods = false)
    static class Asynchronous {

        @Bean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME)
        static ApplicationEventMulticaster multicaster() {
            SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setTaskExecutor(task -> new Thread(task).start());
            return multicaster;
        }
    }

    static class Steps {

        final List<String> journal = new CopyOnWriteArrayList<>();
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch revoked = new CountDownLatch(1);
    }

    static class Job {

        private final Steps steps;
        private final ListableBeanFactory beans;

        Job(Steps steps, ListableBeanFactory beans) {
            this.steps = steps;
            this.beans = beans;
        }

        @LeaderOnly
        void settle() {
            steps.begun.countDown();
            try {
                steps.revoked.await();
                for (AsyncTaskExecutor executor : executors()) {
                    steps.journal.add(executor.submit(() -> "executor runs").get(1, TimeUnit.MINUTES));
                }
            } catch (Exception e) {
                steps.journal.add(e.toString());
            }
            beans.getBeansOfType(Part.class)
                    .forEach((name, part) -> steps.journal.add(name + (part.isRunning() ? " runs" : " has stopped")));
        }

        private List<AsyncTaskExecutor> executors() {
            return List.of(beans.getBean(ThreadPoolTaskExecutor.class), beans.getBean(ThreadPoolTaskScheduler.class));
        }

        @EventListener
        void on(LeaderRevokedEvent event) {
            steps.revoked.countDown();
        }
    }

    static class Part extends Startable implements SmartLifecycle {

        final List<Status> elections = new CopyOnWriteArrayList<>();
        private final ObjectProvider<Neli> neli;
        private final boolean automatic;

        Part(ObjectProvider<Neli> neli, boolean automatic) {
            this.neli = neli;
            this.automatic = automatic;
        }

        @Override
        public void start() {
            elections.add(neli.getObject().snapshot().status());
            super.start();
        }

        @Override
        public boolean isAutoStartup() {
            return automatic;
        }
    }
}
