package io.neli.spring;

import java.lang.Thread.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NotLeaderException;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.test.FakeNeli;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.NoProducerAvailableException;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

class LeaderKafkaTemplateIT {

    private final StubNeli neli = StubNeli.standby();
    private final String role = "role-" + UUID.randomUUID();
    private final String topic = "topic-" + role;
    private LeaderKafkaTemplate<String, String> template;

    @BeforeEach
    void create() {
        SharedBroker.get().addTopics(topic);
        template = templates(producers(), neli).forRole(role);
    }

    @AfterEach
    void close() {
        template.destroy();
    }

    @Test
    void a_leader_sends_in_transactions() {
        acquire(template);
        send("a");
        send("b");
        assertThatThrownBy(() -> template.executeInTransaction(operations -> {
                    operations.send(topic, "rolled back");
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        send("c");

        assertThat(Committed.values(topic)).containsExactly("a", "b", "c");
        assertThat(template.getProducerFactory().getTransactionIdPrefix()).isEqualTo("group/" + role + "-");
    }

    @Test
    void a_standby_is_refused_and_does_not_fence_the_leader() {
        StubNeli other = StubNeli.standby();
        LeaderKafkaTemplate<String, String> standby =
                templates(producers(), other).forRole(role);
        acquire(template);
        template.executeInTransaction(operations -> {
            operations.send(topic, "a");
            assertThatThrownBy(() -> standby.executeInTransaction(nothing -> true))
                    .isInstanceOfSatisfying(NotLeaderException.class, refusal -> assertThat(refusal.role())
                            .isEqualTo(role));
            standby.producers.onEvent(new LeaderAcquired(role, 0, StubNeli.TOKEN)); // too late: it no longer leads
            return true;
        });
        assertThat(Committed.values(topic)).containsExactly("a");
        standby.destroy();
    }

    @Test
    void the_next_leader_fences_all_open_transactions_of_the_former() {
        StubNeli other = StubNeli.leading();
        LeaderKafkaTemplate<String, String> former =
                templates(producers(), neli).forRole(role, 2);
        LeaderKafkaTemplate<String, String> next = templates(producers(), other).forRole(role, 2);
        acquire(former);
        assertFenced(() -> former.executeInTransaction(operations -> {
            operations.send(topic, "zombie").join();
            assertFenced(() -> elsewhere(() -> former.executeInTransaction(others -> {
                others.send(topic, "zombie too").join();
                next.producers.onEvent(new LeaderAcquired(role, 0, StubNeli.TOKEN));
                return true;
            })));
            return true;
        }));
        assertThat(Committed.values(topic)).isEmpty();
        former.destroy();
        next.destroy();
    }

    @Test
    @Tag("proof")
    void a_leader_whose_producer_was_fenced_makes_a_new_one() {
        acquire(template);
        send("a");
        fenceFromOutside(neli);
        assertFenced(() -> send("lost"));
        send("b");
        assertThat(Committed.values(topic)).containsExactly("a", "b");
    }

    /** By default, brokers forget a transactional id that was not used for seven days. */
    @Test
    void a_producer_is_replaced_before_the_brokers_forget_its_transactional_id() {
        acquire(template);
        Producer<String, String> idle = template.producers.createProducer();
        ReflectionTestUtils.setField(
                idle, "created", Instant.now().minus(Duration.ofDays(7)).toEpochMilli());
        idle.close();
        fenceFromOutside(neli); // only a producer that existed before is fenced by this
        send("a");
        assertThat(Committed.values(topic)).containsExactly("a");
    }

    /** The listeners of another role may delay the event, while the threads of a listener container still send. */
    @Test
    @SuppressWarnings("try") // the work is only closed
    void a_member_may_send_while_it_hands_over_until_it_is_fenced_and_makes_no_new_producer() {
        CompletableFuture<Void> returns = new CompletableFuture<>();
        LeaderListener slow = event -> {
            if (event instanceof LeaderRevoked revoked && revoked.reason() == RevokeReason.RESIGNED) {
                returns.join();
            }
        };
        try (FakeNeli member = FakeNeli.builder()
                .roles(role)
                .leading(false)
                .interruptOnFence(false)
                .listener(slow)
                .start()) {
            LeaderKafkaTemplates<String, String> templates = templates(producers(), member);
            LeaderKafkaTemplate<String, String> notified = templates.forRole(role);
            member.addListener(templates);
            member.acquire();
            member.revoke();
            member.acquire();
            CompletableFuture<Void> fence;
            try (LeaderWork work = member.beginWork(role).orElseThrow()) {
                member.resign(role, Duration.ZERO);
                elsewhere(() -> send(notified, "drained"));
                fence = CompletableFuture.runAsync(member::fence);
                await().atMost(Duration.ofMinutes(1))
                        .until(
                                () -> member.leader(role),
                                leader -> leader.isPresent() && !leader.get().self());
                assertThatThrownBy(() -> send(notified, "late")).isInstanceOf(NotLeaderException.class);
            } finally {
                returns.complete(null);
            }
            fence.join();

            member.acquire();
            try (LeaderWork work = member.beginWork(role).orElseThrow()) {
                member.resign(role, Duration.ZERO);
                fenceFromOutside(member);
                assertFenced(() -> send(notified, "lost"));
                assertThatThrownBy(() -> send(notified, "lost too")).isInstanceOf(NotLeaderException.class);
            }
            notified.destroy();
        }
        assertThat(Committed.values(topic)).containsExactly("drained");
    }

    @Test
    @Tag("proof")
    void a_member_whose_lease_ends_without_an_event_is_refused() {
        acquire(template);
        neli.lead(false);
        assertThatThrownBy(() -> send("late")).isInstanceOf(NotLeaderException.class);
    }

    @Test
    @Tag("proof")
    void a_reset_does_not_fence_an_open_transaction() {
        acquire(template);
        template.executeInTransaction(operations -> {
            operations.send(topic, "open");
            template.getProducerFactory().reset();
            assertThatThrownBy(() -> elsewhere(() -> send("another")))
                    .hasRootCauseInstanceOf(NoProducerAvailableException.class);
            return true;
        });
        send("after");
        assertThat(Committed.values(topic)).containsExactly("open", "after");
    }

    @Test
    @Tag("proof")
    void the_stop_of_a_child_context_leaves_the_producers() {
        try (GenericApplicationContext parent = new GenericApplicationContext();
                GenericApplicationContext child = new GenericApplicationContext(parent)) {
            LeaderKafkaTemplates<String, String> templates = templates(producers(), neli);
            parent.registerBean("templates", LeaderKafkaTemplates.class, () -> templates);
            parent.refresh();
            child.refresh();
            LeaderKafkaTemplate<String, String> ofBean = templates.forRole(role);
            acquire(ofBean);
            child.stop();
            fenceFromOutside(neli); // only a producer that still exists is fenced by this
            assertFenced(() -> ofBean.executeInTransaction(operations -> operations.send(topic, "lost")));
        }
    }

    @Test
    @Tag("proof")
    void the_event_and_work_wait_for_another_thread_that_is_preparing_already() throws Exception {
        CountDownLatch preparing = new CountDownLatch(1);
        CompletableFuture<Void> release = new CompletableFuture<>();
        DefaultKafkaProducerFactory<String, String> slow = producers();
        slow.addPostProcessor(producer -> {
            preparing.countDown();
            release.join();
            return producer;
        });
        LeaderKafkaTemplate<String, String> prepared = templates(slow, neli).forRole(role, 2);
        neli.lead(true);
        CompletableFuture<Boolean> early =
                CompletableFuture.supplyAsync(() -> prepared.executeInTransaction(nothing -> true));
        assertThat(preparing.await(1, TimeUnit.MINUTES)).isTrue();
        Thread event = new Thread(() -> prepared.producers.onEvent(new LeaderAcquired(role, 0, StubNeli.TOKEN)));
        event.start();
        CompletableFuture<Void> sent = new CompletableFuture<>();
        Thread work = new Thread(() -> {
            send(prepared, "a");
            sent.complete(null);
        });
        work.start();
        for (Thread waiting : List.of(event, work)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(waiting::getState, state -> state == State.TIMED_WAITING || state == State.TERMINATED);
            assertThat(waiting.isAlive()).isTrue();
        }
        release.complete(null);
        event.join(60_000);
        assertThat(event.isAlive()).isFalse();
        assertThat(sent).succeedsWithin(Duration.ofMinutes(1));
        assertThat(early).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
        prepared.destroy();
    }

    @Test
    @Tag("proof")
    void as_many_transactions_as_were_asked_for_run_at_a_time() {
        acquire(template);
        LeaderKafkaTemplate<String, String> two = templates(producers(), neli).forRole(role + "-two", 2);
        acquire(two);
        template.executeInTransaction(first -> assertThatThrownBy(() -> elsewhere(() -> send("another")))
                .hasRootCauseInstanceOf(NoProducerAvailableException.class)
                .hasStackTraceContaining("has 1 open transactions, which is the limit")
                .hasStackTraceContaining("the same on all members"));
        two.executeInTransaction(first -> {
            elsewhere(() -> two.executeInTransaction(second -> second.send(topic, "at the same time")));
            return true;
        });
        assertThat(Committed.values(topic)).containsExactly("at the same time");
        two.destroy();
    }

    @Test
    @Tag("proof")
    void nothing_is_sent_outside_of_a_transaction() {
        acquire(template);
        assertThatThrownBy(() -> template.send(topic, "a")).hasMessageContaining("No transaction is in process");
        template.setAllowNonTransactional(true);
        assertThatThrownBy(() -> template.send(topic, "a")).hasMessageContaining("only sends in a transaction");
        template.setTransactionIdPrefix("mine");
        assertThatThrownBy(() -> send("a")).hasMessageContaining("has its own, 'group/");
    }

    @Test
    @Tag("proof")
    void wrong_arguments_are_named() {
        LeaderKafkaTemplates<String, String> templates = templates(producers(), neli);
        assertThatThrownBy(() -> templates.forRole(" "))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("is ' '");
        assertThatThrownBy(() -> templates.forRole(role, 0))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("is 0");
        ProducerFactory<String, String> foreign = () -> {
            throw new UnsupportedOperationException();
        };
        assertThatThrownBy(() -> templates(foreign, neli).forRole(role))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("hand it a DefaultKafkaProducerFactory");
    }

    @Test
    @Tag("proof")
    void a_member_that_cannot_prepare_says_so() {
        LeaderKafkaTemplate<String, String> unreachable = templates(
                        new DefaultKafkaProducerFactory<>(
                                Map.of("bootstrap.servers", "localhost:1", "max.block.ms", "50"),
                                new StringSerializer(),
                                new StringSerializer()),
                        neli)
                .forRole(role);
        assertThatThrownBy(() -> acquire(unreachable)).hasMessageContaining("initTransactions() failed");
    }

    @Test
    @Tag("proof")
    void in_an_application_it_is_notified_and_takes_part_in_transactions() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
                .withUserConfiguration(Invoices.class)
                .withBean(StubNeli.class, () -> neli)
                .withPropertyValues(
                        "spring.kafka.bootstrap-servers=" + SharedBroker.address(),
                        "test.role=" + role,
                        "test.topic=" + topic)
                .run(context -> {
                    neli.lead(true);
                    context.getBean(Listeners.class)
                            .found()
                            .orderedStream()
                            .forEach(listener -> listener.onEvent(new LeaderAcquired(role, 0, StubNeli.TOKEN)));
                    fenceFromOutside(neli); // only a producer that existed before is fenced by this

                    Job job = context.getBean(Job.class);
                    assertFenced(() -> job.send("fenced"));
                    job.send("a");
                    assertThatThrownBy(job::fail).hasMessage("no");
                    job.send("b");
                    assertThat(Committed.values(topic)).containsExactly("a", "b");
                });
    }

    private static LeaderKafkaTemplates<String, String> templates(
            ProducerFactory<String, String> producers, Neli election) {
        return new LeaderKafkaTemplates<>(producers, election, template -> {});
    }

    private static DefaultKafkaProducerFactory<String, String> producers() {
        return new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", SharedBroker.address()), new StringSerializer(), new StringSerializer());
    }

    private void acquire(LeaderKafkaTemplate<String, String> acquiring) {
        neli.lead(true);
        acquiring.producers.onEvent(new LeaderAcquired(role, 0, StubNeli.TOKEN));
    }

    private void send(String value) {
        send(template, value);
    }

    private void send(LeaderKafkaTemplate<String, String> sending, String value) {
        sending.executeInTransaction(operations -> operations.send(topic, value));
    }

    /** Fences the producer as a member would that wrongly believed it led. */
    private void fenceFromOutside(Neli member) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", SharedBroker.address());
        settings.put("transactional.id", member.snapshot().groupId() + "/" + role + "-0");
        try (KafkaProducer<String, String> other =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            other.initTransactions();
        }
    }

    private static void assertFenced(ThrowingCallable task) {
        assertThatThrownBy(task)
                .extracting(Throwables::getStackTrace, as(STRING))
                .containsAnyOf("ProducerFencedException", "InvalidProducerEpochException");
    }

    private static void elsewhere(Runnable task) {
        CompletableFuture.runAsync(task).join();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Invoices {

        @Bean
        KafkaTransactionManager<String, String> transactions(
                LeaderKafkaTemplates<String, String> templates, @Value("${test.role}") String role) {
            return new KafkaTransactionManager<>(templates.forRole(role).getProducerFactory());
        }

        @Bean
        Listeners listeners(ListableBeanFactory beans) {
            return new Listeners(beans.getBeanProvider(LeaderListener.class));
        }

        @Bean
        Job job(
                LeaderKafkaTemplates<String, String> templates,
                @Value("${test.role}") String role,
                @Value("${test.topic}") String topic) {
            return new Job(templates.forRole(role), topic);
        }
    }

    /** The listeners that the election notifies. */
    record Listeners(ObjectProvider<LeaderListener> found) {}

    static class Job {

        private final LeaderKafkaTemplate<String, String> template;
        private final String topic;

        Job(LeaderKafkaTemplate<String, String> template, String topic) {
            this.template = template;
            this.topic = topic;
        }

        @LeaderOnly
        @Transactional
        public void send(String value) {
            template.send(topic, value);
        }

        @LeaderOnly
        @Transactional
        public void fail() {
            template.send(topic, "rolled back");
            throw new IllegalStateException("no");
        }
    }
}
