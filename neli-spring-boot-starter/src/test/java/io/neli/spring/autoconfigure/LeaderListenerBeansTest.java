package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class LeaderListenerBeansTest {

    private static final LeaderEvent ACQUIRED = new LeaderAcquired("invoices", 2, 7);
    private static final LeaderEvent REVOKED = new LeaderRevoked("invoices", 2, 7, RevokeReason.RESIGNED);
    private static final LeaderEvent FENCED = new LeaderFenced("invoices", 2, 7, FenceReason.HANDOVER_TIMED_OUT);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void the_events_reach_the_application_in_order_with_role_partition_token_and_reason() {
        LeaderListener election = election(Subscriber.class);

        List.of(ACQUIRED, REVOKED, FENCED).forEach(election::onEvent);

        List<LeadershipEvent> events = context.getBean(Subscriber.class).events;
        assertThat(events)
                .hasExactlyElementsOfTypes(LeaderAcquiredEvent.class, LeaderRevokedEvent.class, LeaderFencedEvent.class)
                .allSatisfy(event -> {
                    assertThat(event.role()).isEqualTo("invoices");
                    assertThat(event.partition()).isEqualTo(2);
                    assertThat(event.token()).isEqualTo(7);
                    assertThat(event.getSource()).isSameAs(context);
                });
        assertThat(events)
                .extracting(Object::toString)
                .containsExactly(
                        "LeaderAcquired[role=invoices, partition=2, token=7]",
                        "LeaderRevoked[role=invoices, partition=2, token=7, reason=RESIGNED]",
                        "LeaderFenced[role=invoices, partition=2, token=7, reason=HANDOVER_TIMED_OUT]");
    }

    @Test
    void an_event_is_delivered_before_the_call_returns() {
        LeaderListener election = election(Subscriber.class);

        election.onEvent(ACQUIRED);

        assertThat(context.getBean(Subscriber.class).threads).containsExactly(Thread.currentThread());
    }

    @Test
    void an_exception_of_an_event_listener_reaches_the_election() {
        LeaderListener election = election(Refusing.class);

        assertThatThrownBy(() -> election.onEvent(ACQUIRED)).hasMessage("not ready");
    }

    @Test
    void listener_beans_are_called_in_their_order_and_those_without_one_after_the_event() {
        LeaderListener election = election(Ordered.class);

        election.onEvent(ACQUIRED);

        assertThat(context.getBean(Ordered.class).calls).containsExactly("earlier", "event", "unordered");
    }

    @Test
    void a_listener_that_throws_does_not_keep_the_event_from_the_others() {
        LeaderListener election = election(TwoFailures.class);

        assertThatThrownBy(() -> election.onEvent(FENCED))
                .hasMessage("first")
                .hasSuppressedException(new IllegalStateException("second"));
        assertThat(context.getBean(TwoFailures.class).calls).containsExactly("event");
    }

    @Test
    void nor_does_one_that_throws_a_checked_exception() {
        LeaderListener election = election(CheckedFailure.class);

        assertThatThrownBy(() -> election.onEvent(FENCED)).hasRootCauseMessage("as from Kotlin");
        assertThat(context.getBean(CheckedFailure.class).calls).containsExactly("event");
    }

    @Test
    void where_one_cannot_prepare_those_after_it_are_notified_of_the_end_only() {
        LeaderListener election = election(TwoFailures.class);

        assertThatThrownBy(() -> election.onEvent(ACQUIRED)).hasMessage("first").hasNoSuppressedExceptions();
        assertThat(context.getBean(TwoFailures.class).calls).isEmpty();
        assertThatThrownBy(() -> election.onEvent(REVOKED)).hasMessage("first");
        assertThat(context.getBean(TwoFailures.class).calls).containsExactly("event");
    }

    @Test
    void a_condition_chooses_the_events_of_one_role() {
        LeaderListener election = election(OfOneRole.class);

        election.onEvent(ACQUIRED);
        election.onEvent(new LeaderAcquired("reports", 2, 7));
        election.onEvent(REVOKED);

        assertThat(context.getBean(OfOneRole.class).events)
                .extracting(LeadershipEvent::role)
                .containsExactly("invoices", "invoices");
        assertThat(context.getBean(OfOneRole.class).acquiredOnPartitionTwo).containsExactly("invoices", "reports");
    }

    /** As with {@code @RefreshScope}: the proxy is a listener, and so is its target. */
    @Test
    void a_scoped_listener_is_notified_once() {
        context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
        LeaderListener election = election(Scoped.class);

        election.onEvent(ACQUIRED);

        assertThat(context.getBean(Scoped.class).received).containsExactly(ACQUIRED);
    }

    /** Before the post processor that finds other elections. */
    @Test
    void an_election_that_is_created_early_is_listened_to() {
        LeaderListener election = election(NeedsTheElection.class);

        election.onEvent(ACQUIRED);

        assertThat(context.getBean(Subscriber.class).events).hasSize(1);
    }

    private LeaderListener election(Class<?> configuration) {
        context.register(configuration);
        context.registerBean(LeaderEventPublisher.class, () -> new LeaderEventPublisher(context));
        context.register(LeaderListenerBeans.class);
        Neli neli = mock(Neli.class);
        context.registerBean(Neli.class, () -> neli);
        context.refresh();
        ArgumentCaptor<LeaderListener> added = ArgumentCaptor.forClass(LeaderListener.class);
        verify(neli).addListener(added.capture());
        return added.getValue();
    }

    static class Subscriber {

        final List<LeadershipEvent> events = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();

        @EventListener
        void on(LeadershipEvent event) {
            events.add(event);
            threads.add(Thread.currentThread());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {

        final List<LeaderEvent> received = new ArrayList<>();

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        LeaderListener scoped() {
            return received::add;
        }
    }

    @Import(Subscriber.class)
    static class NeedsTheElection implements BeanPostProcessor {

        NeedsTheElection(Neli neli) {
            assertThat(neli).isNotNull();
        }
    }

    static class OfOneRole {

        final List<LeadershipEvent> events = new ArrayList<>();
        final List<String> acquiredOnPartitionTwo = new ArrayList<>();

        @EventListener(condition = "#root.event.role == 'invoices'")
        void on(LeadershipEvent event) {
            events.add(event);
        }

        @EventListener(condition = "#event.partition == 2")
        void on(LeaderAcquiredEvent event) {
            acquiredOnPartitionTwo.add(event.role());
        }
    }

    static class Refusing {

        @EventListener
        void on(LeaderAcquiredEvent event) {
            throw new IllegalStateException("not ready");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ordered {

        final List<String> calls = new ArrayList<>();

        @Bean
        LeaderListener unordered() {
            return event -> calls.add("unordered");
        }

        @Bean
        @Order(-1)
        LeaderListener earlier() {
            return event -> calls.add("earlier");
        }

        @EventListener
        void on(LeadershipEvent event) {
            calls.add("event");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CheckedFailure {

        final List<String> calls = new ArrayList<>();

        @Bean
        @Order(-1)
        LeaderListener failing() {
            return event -> CheckedFailure.<RuntimeException>sneak(new IOException("as from Kotlin"));
        }

        @EventListener
        void on(LeadershipEvent event) {
            calls.add("event");
        }

        @SuppressWarnings("unchecked")
        private static <E extends Exception> void sneak(Exception failure) throws E {
            throw (E) failure;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoFailures {

        final List<String> calls = new ArrayList<>();

        @Bean
        @Order(-2)
        LeaderListener first() {
            return event -> {
                throw new IllegalStateException("first");
            };
        }

        @Bean
        @Order(-1)
        LeaderListener second() {
            return event -> {
                throw new IllegalStateException("second");
            };
        }

        @EventListener
        void on(LeadershipEvent event) {
            calls.add("event");
        }
    }
}
