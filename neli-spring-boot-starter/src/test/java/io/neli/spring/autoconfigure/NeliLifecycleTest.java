package io.neli.spring.autoconfigure;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.LeaderWork;
import io.neli.spring.Startable;
import io.neli.spring.StubNeli;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class NeliLifecycleTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int WEB_SERVER_GRACEFUL_SHUTDOWN = SmartLifecycle.DEFAULT_PHASE - 1024;
    private static final int LISTENER_CONTAINERS = Integer.MAX_VALUE - 100;

    private final StubNeli neli = StubNeli.standby();

    @Test
    void the_election_is_started_and_stopped_with_the_context() {
        try (GenericApplicationContext context = context()) {
            context.refresh();
            assertThat(neli.calls).containsExactly("start");
        }
        assertThat(neli.calls).containsExactly("start", "close");
    }

    @Test
    void the_context_may_be_stopped_and_started_many_times() {
        try (GenericApplicationContext context = context()) {
            context.refresh();
            context.stop();
            assertThat(context.getBean(NeliLifecycle.class).isRunning()).isFalse();
            context.start();
            assertThat(context.getBean(NeliLifecycle.class).isRunning()).isTrue();
            context.stop();
            context.start();
        }
        assertThat(neli.calls).containsExactly("start", "close", "start", "close", "start", "close");
    }

    @Test
    void a_context_that_is_paused_restarts_the_election() {
        try (GenericApplicationContext context = context()) {
            context.refresh();
            for (int round = 0; round < 3; round++) {
                context.pause();
                assertThat(context.getBean(NeliLifecycle.class).isRunning()).isFalse();
                context.restart();
            }
            assertThat(neli.calls).containsExactly("start", "close", "start", "close", "start", "close", "start");
        }
    }

    @Test
    void a_context_that_was_stopped_does_not_close_the_election_again() {
        try (GenericApplicationContext context = context()) {
            context.refresh();
            context.stop();
        }
        assertThat(neli.calls).containsExactly("start", "close");
    }

    @Test
    void a_context_that_is_closed_while_it_waits_for_its_servers_ends_without_them() throws Exception {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of("neli.group-id=group", "neli.name=waits", "neli.kafka.bootstrap-servers=localhost:1")
                .and("neli.fail-fast=1h")
                .applyTo(context);
        context.register(NeliAutoConfiguration.class);
        FutureTask<Void> start = new FutureTask<>(context::refresh, null);
        Thread starting = new Thread(start);
        starting.start();
        await().atMost(PATIENCE)
                .until(() -> starting.getState() == State.WAITING
                        && Thread.getAllStackTraces().keySet().stream()
                                .anyMatch(thread -> thread.getName().equals("neli-waits-start")));

        context.close();

        assertThatThrownBy(() -> start.get(1, TimeUnit.MINUTES)).hasStackTraceContaining("the start was interrupted");
        await().atMost(PATIENCE).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("neli-waits")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_context_that_ends_while_the_application_closes_the_election_waits_for_that(boolean closes) throws Exception {
        AtomicBoolean destroyed = new AtomicBoolean();
        GenericApplicationContext context = new GenericApplicationContext();
        FakeNeli fake =
                FakeNeli.builder().leading(true).handoverTimeout(PATIENCE).build();
        context.registerBean(
                NeliAutoConfiguration.LIFECYCLE, NeliLifecycle.class, () -> new NeliLifecycle(fake, context));
        context.registerBean("resource", Poller.class, () -> new Poller() {
            @Override
            public void stop() {
                destroyed.set(true);
            }
        });
        context.refresh();
        LeaderWork work = fake.beginWork().orElseThrow();
        work.detach(() -> {});
        Thread closing = new Thread(fake::close);
        closing.start();
        await().atMost(PATIENCE).until(() -> !fake.isLeader());

        Thread ending = new Thread(closes ? context::close : context::stop);
        ending.start();
        await().atMost(PATIENCE)
                .until(() -> destroyed.get()
                        || ending.getState() == State.WAITING
                        || ending.getState() == State.TIMED_WAITING);
        assertThat(destroyed).isFalse();

        work.close();
        closing.join();
        ending.join();
        assertThat(destroyed).isTrue();
        context.close();
    }

    @Test
    void a_context_that_fails_after_the_start_leaves_nothing_running() {
        try (GenericApplicationContext context = context()) {
            context.addApplicationListener(event -> {
                if (event instanceof ContextRefreshedEvent) {
                    throw new IllegalStateException("refused");
                }
            });

            assertThatThrownBy(context::refresh).hasMessage("refused");

            assertThat(neli.calls).containsExactly("start", "close");
        }
    }

    @Test
    void a_context_whose_other_parts_fail_to_start_does_not_start_the_election() {
        try (GenericApplicationContext context = context()) {
            context.registerBean("zz", FailingLifecycle.class);

            assertThatThrownBy(context::refresh).rootCause().hasMessage("no port");

            assertThat(neli.calls).isEmpty();
        }
    }

    @Test
    void a_bean_that_the_application_removes_does_not_keep_the_election_from_stopping_with_the_context() {
        try (GenericApplicationContext context = context()) {
            context.registerBean("poller", Poller.class);
            context.refresh();

            context.removeBeanDefinition("poller");

            assertThat(neli.calls).containsExactly("start");
        }
        assertThat(neli.calls).containsExactly("start", "close");
    }

    @Test
    void it_stops_before_the_web_server_drains_and_before_listener_containers() {
        NeliLifecycle lifecycle = new NeliLifecycle(neli, new GenericApplicationContext());

        assertThat(lifecycle.isAutoStartup()).isTrue();
        assertThat(lifecycle.getPhase())
                .isGreaterThan(WEB_SERVER_GRACEFUL_SHUTDOWN)
                .isGreaterThan(LISTENER_CONTAINERS);
    }

    private GenericApplicationContext context() {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(
                NeliAutoConfiguration.LIFECYCLE, NeliLifecycle.class, () -> new NeliLifecycle(neli, context));
        return context;
    }

    private static class Poller extends Startable implements SmartLifecycle {}

    private static final class FailingLifecycle extends Poller {

        @Override
        public void start() {
            throw new IllegalStateException("no port");
        }
    }
}
