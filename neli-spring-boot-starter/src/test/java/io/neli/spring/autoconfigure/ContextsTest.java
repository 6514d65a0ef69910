package io.neli.spring.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderEvent;
import io.neli.LeaderListener;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeadershipEvent;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.Startable;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.test.FakeNeli;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications with lazy beans, several contexts, or one context within another. */
class ContextsTest {

    private final List<ConfigurableApplicationContext> contexts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        for (int last = contexts.size() - 1; last >= 0; last--) {
            contexts.get(last).close();
        }
    }

    private ConfigurableApplicationContext run(SpringApplicationBuilder application, String... arguments) {
        ConfigurableApplicationContext context = application
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(arguments);
        contexts.add(context);
        return context;
    }

    @Test
    void the_first_event_finds_all_beans_and_all_listeners() {
        ConfigurableApplicationContext context =
                run(new SpringApplicationBuilder(Election.class, Listening.class, Job.class));

        assertThat(context.getBean(Listening.class).received)
                .containsExactly("all beans: true LeaderAcquiredEvent default true");
    }

    @Test
    void a_lazy_application_contends_is_notified_and_skips_calls() {
        ConfigurableApplicationContext context =
                run(new SpringApplicationBuilder(Election.class, Listening.class, Job.class).lazyInitialization(true));

        assertThat(context.getBean(Neli.class).isLeader()).isTrue();
        assertThat(context.getBean(Listening.class).received).hasSize(1);
        assertThat(context.getBean(Job.class).token()).isNotNull();
        context.getBean(FakeNeli.class).fence();
        assertThat(context.getBean(Job.class).token()).isNull();
    }

    @Test
    void a_lazy_application_starts_what_is_to_run_while_it_leads() {
        ConfigurableApplicationContext context =
                run(new SpringApplicationBuilder(Election.class, Pollers.class).lazyInitialization(true));

        assertThat(context.getBean(Pollers.class).started).containsExactlyInAnyOrder("on the class", "on the method");
    }

    @Test
    void applications_in_one_process_do_not_concern_each_other() {
        ConfigurableApplicationContext one =
                run(new SpringApplicationBuilder(Election.class, Listening.class, Job.class));
        ConfigurableApplicationContext two =
                run(new SpringApplicationBuilder(Election.class, Listening.class, Job.class));

        one.getBean(FakeNeli.class).fence();
        assertThat(one.getBean(Job.class).token()).isNull();
        Long token = two.getBean(Job.class).token();
        assertThat(token).isNotNull();
        assertThat(one.getBean(Listening.class).received).hasSize(2);
        assertThat(two.getBean(Listening.class).received).hasSize(1);

        Listening left = one.getBean(Listening.class);
        one.close();
        assertThat(two.getBean(Job.class).token()).isEqualTo(token);
        assertThat(left.received).hasSize(2);
    }

    @Test
    void an_event_reaches_each_listener_of_the_election_s_context_once_and_none_of_a_child_context() {
        ConfigurableApplicationContext parent =
                run(new SpringApplicationBuilder(Election.class, Listening.class, Job.class));
        ConfigurableApplicationContext child =
                run(new SpringApplicationBuilder(WithoutElection.class, Listening.class, Job.class).parent(parent));
        FakeNeli neli = child.getBean(FakeNeli.class);
        int before = parent.getBean(Listening.class).received.size();

        neli.fence();

        assertThat(parent.getBean(Listening.class).received).hasSize(before + 1);
        assertThat(child.getBean(Listening.class).received).isEmpty();
        assertThat(child.getBean(Job.class).token()).isNull();
        neli.acquire();
        assertThat(child.getBean(Job.class).token()).isNotNull();
        child.close();
        assertThat(neli.isLeader()).isTrue();
        parent.close();
        assertThat(neli.isLeader()).isFalse();
    }

    @Test
    void an_election_of_a_child_context_does_not_concern_the_listeners_and_components_of_its_parent() {
        ConfigurableApplicationContext parent =
                run(new SpringApplicationBuilder(Election.class, Recording.class, Component.class));
        ConfigurableApplicationContext child =
                run(new SpringApplicationBuilder(Election.class, Recording.class, Component.class).parent(parent));
        List<LeaderEvent> received = parent.getBean(Recording.class).received;
        assertThat(received).hasSize(1);
        assertThat(child.getBean(Recording.class).received).hasSize(1);

        child.getBean(FakeNeli.class).fence();

        assertThat(received).hasSize(1);
        assertThat(child.getBean(Recording.class).received).hasSize(2);
        assertThat(child.getBean(Component.class).isRunning()).isFalse();
        assertThat(parent.getBean(Component.class).isRunning()).isTrue();
        parent.getBean(FakeNeli.class).fence();
        assertThat(parent.getBean(Component.class).isRunning()).isFalse();
    }

    @Test
    void an_election_of_a_child_context_publishes_its_events_there_even_if_its_parent_has_one() {
        ConfigurableApplicationContext parent = run(new SpringApplicationBuilder(Election.class));
        ConfigurableApplicationContext child =
                run(new SpringApplicationBuilder(Election.class, Listening.class).parent(parent));

        assertThat(child.getBean(Listening.class).received).hasSize(1);
        parent.getBean(FakeNeli.class).fence();
        assertThat(child.getBean(Listening.class).received).hasSize(1);
    }

    static class Recording implements LeaderListener {

        final List<LeaderEvent> received = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(LeaderEvent event) {
            received.add(event);
        }
    }

    @StartWhenLeading
    static class Component extends Startable implements SmartLifecycle {

        @Override
        public boolean isAutoStartup() {
            return false;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Pollers {

        private final List<String> started = new CopyOnWriteArrayList<>();

        @Bean
        Annotated annotated() {
            return new Annotated(started);
        }

        @Bean
        @StartWhenLeading
        Poller poller() {
            return new Poller("on the method", started);
        }
    }

    @StartWhenLeading
    static class Annotated extends Poller {

        Annotated(List<String> started) {
            super("on the class", started);
        }
    }

    /** Spring creates a {@link SmartLifecycle} however lazy it is. */
    static class Poller implements Lifecycle {

        private final String name;
        private final List<String> started;
        private volatile boolean running;

        Poller(String name, List<String> started) {
            this.name = name;
            this.started = started;
        }

        @Override
        public void start() {
            running = true;
            started.add(name);
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class})
    static class Election {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().leading(true).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class})
    static class WithoutElection {}

    static class Job {

        @LeaderOnly
        public @Nullable Long token() {
            return Leadership.current().orElseThrow().token();
        }
    }

    static class Listening implements SmartInitializingSingleton {

        final List<String> received = new CopyOnWriteArrayList<>();
        private final ApplicationContext context;
        private volatile boolean allBeans;

        Listening(ApplicationContext context) {
            this.context = context;
        }

        @Override
        public void afterSingletonsInstantiated() {
            allBeans = true;
        }

        @EventListener
        void on(LeadershipEvent event) {
            boolean leads = context.getBean(Neli.class).isLeader();
            if (event instanceof LeaderAcquiredEvent) {
                received.add("all beans: " + allBeans + " LeaderAcquiredEvent " + event.role() + " " + leads);
            } else {
                received.add(event.getClass().getSimpleName());
            }
        }
    }
}
