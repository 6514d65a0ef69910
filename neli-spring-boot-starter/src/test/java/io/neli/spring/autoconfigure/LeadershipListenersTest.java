package io.neli.spring.autoconfigure;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.NeliException;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderChangedEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import io.neli.test.FakeNeli;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionalEventListener;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The election waits for the listeners of its events, or refuses them. */
class LeadershipListenersTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class))
            .withUserConfiguration(Election.class);

    private final ApplicationContextRunner asynchronous = runner.withUserConfiguration(Asynchronous.class);

    @ParameterizedTest
    @ValueSource(classes = {OnParameter.class, OnClasses.class, OnModule.class})
    void a_transactional_listener_of_leadership_is_refused(Class<?> listener) {
        runner.withUserConfiguration(Transactions.class).withBean(listener).run(context -> refusal(
                        context.getStartupFailure())
                .hasMessageContaining(listener.getName() + ".on()")
                .hasMessageContaining("@TransactionalEventListener")
                .hasMessageContaining("use @EventListener"));
    }

    @Test
    void a_transactional_listener_of_other_events_is_the_application_s_affair() {
        runner.withUserConfiguration(Transactions.class)
                .withBean(OfOrders.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(classes = {OfFuture.class, OfPublisher.class})
    void a_listener_that_returns_before_it_has_handled_the_event_is_refused(Class<?> listener) {
        runner.withBean(listener).run(context -> refusal(context.getStartupFailure())
                .hasMessageContaining(listener.getName() + ".on() returns before it has handled its event"));
        runner.withBean(MeantToReturn.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void an_asynchronous_multicaster_does_not_move_the_listeners_of_leadership_and_moves_the_others() {
        asynchronous.withBean(Listening.class).run(context -> {
            Listening listening = context.getBean(Listening.class);
            assertThat(listening.received).containsExactly("acquired", "any", "of a role");
            context.getBean(FakeNeli.class).fence();
            assertThat(listening.received).containsExactly("acquired", "any", "of a role", "any");
            assertThat(listening.others).isEmpty();
            assertThat(listening.toldOn).isNotEmpty().allMatch(thread -> thread.endsWith("-events"));
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {OfAcquired.class, OfAny.class})
    void a_class_that_listens_to_leadership_is_refused_with_an_asynchronous_multicaster(Class<?> listener) {
        asynchronous.withBean("preparing", listener).run(context -> refusal(context.getStartupFailure())
                .hasMessageContaining("[preparing]")
                .hasMessageContaining("applicationEventMulticaster")
                .hasMessageContaining("supportsAsyncExecution()"));
    }

    @Test
    void so_is_a_lambda() {
        asynchronous.withUserConfiguration(Lambda.class).run(context -> refusal(context.getStartupFailure())
                .hasMessageContaining("[onRevoked]"));
    }

    @Test
    void one_that_does_not_support_asynchronous_execution_is_called_at_once() {
        asynchronous.withBean(InTime.class).run(context -> assertThat(context.getBean(InTime.class).received)
                .hasSize(1));
    }

    @Test
    void listeners_of_other_events_and_other_multicasters_are_the_application_s_affair() {
        asynchronous.withBean(OfRefresh.class).withBean(OfEverything.class).run(context -> assertThat(context)
                .hasNotFailed());
        runner.withUserConfiguration(Synchronous.class)
                .withBean(OfAcquired.class)
                .run(context ->
                        assertThat(context.getBean(OfAcquired.class).received).hasSize(1));
        runner.withBean(OfAcquired.class).run(context -> assertThat(context.getBean(OfAcquired.class).received)
                .hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void of_an_end_each_is_notified_whatever_the_others_throw(boolean fenced) {
        runner.withBean(Failing.class).withBean(Cleaning.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            if (fenced) {
                neli.fence();
            } else {
                neli.revoke();
            }
            neli.acquire(); // returns when all earlier events have been delivered
            assertThat(context.getBean(Cleaning.class).told).isEqualTo(2);
        });
    }

    @Test
    void an_error_handler_does_not_hide_that_a_listener_could_not_prepare() {
        runner.withUserConfiguration(Handling.class).withBean(Unprepared.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.revoke();
            context.getBean(Unprepared.class).fails = true;
            assertThatThrownBy(neli::acquire).hasStackTraceContaining("cannot prepare");
            assertThat(neli.isLeader()).isFalse();

            context.getBean(Unprepared.class).fails = false;
            neli.acquire();
            assertThat(neli.isLeader()).isTrue();
        });
    }

    private static AbstractThrowableAssert<?, ?> refusal(Throwable failure) {
        return assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).isInstanceOf(NeliException.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Election {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().leading(true).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {}

    @Configuration(proxyBeanMethods = false)
    static class Synchronous {

        @Bean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME)
        static ApplicationEventMulticaster multicaster() {
            return new SimpleApplicationEventMulticaster();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Handling {

        @Bean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME)
        static ApplicationEventMulticaster multicaster() {
            SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setErrorHandler(failure -> {});
            return multicaster;
        }
    }

    static class Unprepared {

        private volatile boolean fails;

        @EventListener
        void prepare(LeaderAcquiredEvent event) {
            if (fails) {
                throw new IllegalStateException("cannot prepare");
            }
        }
    }

    /** Its executor never runs a task. */
    @Configuration(proxyBeanMethods = false)
    static class Asynchronous {

        @Bean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME)
        static ApplicationEventMulticaster multicaster() {
            SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setTaskExecutor(task -> {});
            return multicaster;
        }
    }

    static class OnParameter {

        @TransactionalEventListener
        void on(LeaderAcquiredEvent event) {}
    }

    static class OnClasses {

        @TransactionalEventListener(LeaderFencedEvent.class)
        void on() {}
    }

    static class OnModule {

        @ModuleListener
        void on(LeadershipEvent event) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @TransactionalEventListener
    @interface ModuleListener {}

    static class OfFuture {

        @EventListener
        CompletableFuture<Void> on(LeaderAcquiredEvent event) {
            return new CompletableFuture<>();
        }
    }

    static class OfPublisher {

        @EventListener(LeaderRevokedEvent.class)
        Mono<Void> on() {
            return Mono.never();
        }
    }

    static class MeantToReturn {

        @Async
        @EventListener
        CompletableFuture<Void> on(LeaderAcquiredEvent event) {
            return new CompletableFuture<>();
        }

        @EventListener
        Mono<Void> on(LeaderChangedEvent event) {
            return Mono.never();
        }
    }

    static class OfOrders {

        @TransactionalEventListener
        void on(String order) {}
    }

    static class Listening {

        final List<String> received = new CopyOnWriteArrayList<>();
        final List<String> others = new CopyOnWriteArrayList<>();
        final List<String> toldOn = new CopyOnWriteArrayList<>();

        @EventListener
        void told(LeaderChangedEvent event) {
            toldOn.add(Thread.currentThread().getName());
        }

        @EventListener(LeaderAcquiredEvent.class)
        void acquired() {
            received.add("acquired");
        }

        @EventListener
        void any(LeadershipEvent event) {
            received.add("any");
        }

        @EventListener(condition = "#root.event.role == 'default'")
        void ofRole(LeaderAcquiredEvent event) {
            received.add("of a role");
        }

        @EventListener
        void other(ContextRefreshedEvent event) {
            others.add("refreshed");
        }
    }

    abstract static class Receiving<E extends ApplicationEvent> implements ApplicationListener<E> {

        final List<ApplicationEvent> received = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(E event) {
            received.add(event);
        }
    }

    static class OfAcquired extends Receiving<LeaderAcquiredEvent> {}

    static class OfAny extends Receiving<LeadershipEvent> {}

    static class OfRefresh extends Receiving<ContextRefreshedEvent> {}

    static class OfEverything extends Receiving<ApplicationEvent> {}

    static class InTime extends OfAcquired {

        @Override
        public boolean supportsAsyncExecution() {
            return false;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Lambda {

        @Bean
        ApplicationListener<LeaderRevokedEvent> onRevoked() {
            return event -> {};
        }
    }

    static class Failing {

        @EventListener({LeaderRevokedEvent.class, LeaderFencedEvent.class, LeaderChangedEvent.class})
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void on() {
            throw new IllegalStateException("meant to fail");
        }
    }

    static class Cleaning {

        private int told;

        @EventListener({LeaderRevokedEvent.class, LeaderFencedEvent.class})
        void clean() {
            told++;
        }

        @EventListener(condition = "#event.leader().isPresent() && !#event.leader().get().self()")
        void on(LeaderChangedEvent event) {
            told++;
        }
    }
}
