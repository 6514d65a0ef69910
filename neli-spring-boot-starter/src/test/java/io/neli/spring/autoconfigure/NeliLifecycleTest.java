package io.neli.spring.autoconfigure;

import io.neli.Neli;
import io.neli.spring.StubNeli;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class NeliLifecycleTest {

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
    void a_mock_of_an_election_does_not_keep_the_context_from_starting() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            Neli mock = mock(Neli.class);
            context.registerBean(NeliLifecycle.class, () -> new NeliLifecycle(mock, context));

            context.refresh();

            verify(mock).start();
        }
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

    private static class Poller implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
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

    private static final class FailingLifecycle extends Poller {

        @Override
        public void start() {
            throw new IllegalStateException("no port");
        }
    }
}
