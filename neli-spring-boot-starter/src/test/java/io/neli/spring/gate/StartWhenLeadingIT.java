package io.neli.spring.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplate;
import io.neli.spring.LeaderKafkaTemplates;
import io.neli.spring.SharedBroker;
import io.neli.spring.StartWhenLeading;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.event.ConsumerStartingEvent;
import org.springframework.kafka.event.ConsumerStoppedEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A Kafka listener and a bean that follow leadership between two applications. */
class StartWhenLeadingIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Running running = new Running();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private String topic;

    @BeforeEach
    void nameTopic() {
        topic = "orders-" + UUID.randomUUID();
        SharedBroker.get().addTopics(topic, topic + ".out");
    }

    @Test
    void a_listener_and_a_bean_move_with_leadership() {
        try (Application first = start("first")) {
            first.awaitRunning();
            try (Application second = start("second")) {
                second.awaitStandby();
                first.sendAndAwait("a", "first");

                first.neli.pause();
                second.awaitRunning();
                assertThat(first.isAnythingRunning()).isFalse();
                first.sendAndAwait("b", "second");

                second.context.close();
                first.neli.resume();
                first.awaitRunning();
                first.sendAndAwait("c", "first");
            }
        }
        running.assertNeverTwo();
    }

    @Test
    @Tag("proof")
    void a_context_that_is_paused_and_restarted_runs_them_only_while_it_leads() {
        try (Application first = start("first")) {
            first.awaitRunning();
            try (Application second = start("second")) {
                second.awaitStandby();

                first.context.pause();
                second.awaitRunning();
                first.context.restart();
                first.awaitStandby();
                assertThat(first.isAnythingRunning()).isFalse();
                first.sendAndAwait("a", "second");

                second.context.pause();
                first.awaitRunning();
                second.context.restart();
                second.awaitStandby();
                assertThat(second.isAnythingRunning()).isFalse();
                first.sendAndAwait("b", "first");

                second.registry().start(); // as a starting context does
                assertThat(second.isAnythingRunning()).isFalse();
            }
        }
        running.assertNeverTwo();
    }

    @Test
    @Tag("proof")
    void a_handover_waits_for_the_current_record_which_may_still_write_and_leaves_the_rest_to_the_next_leader() {
        try (Application first = start("first")) {
            first.awaitRunning();
            try (Application second = start("second")) {
                second.awaitStandby();
                CountDownLatch hold = first.consumer.hold();
                for (String record : List.of("a", "b", "c")) {
                    first.template().send(topic, record);
                }
                first.template().flush();
                until(() -> first.consumer.isHeld());

                first.neli.pause();
                until(() -> !first.isAnythingRunning());
                assertThat(second.neli.isLeader()).isFalse();
                hold.countDown();

                second.awaitRunning();
                until(() -> received.size() == 3);
                assertThat(received).containsExactly("a at first", "b at second", "c at second");
            }
        }
        running.assertNeverTwo();
    }

    private Application start(String name) {
        return new Application(name);
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    /** What runs in all applications, by kind. Records when two of a kind run at once. */
    private static final class Running {

        private final Map<String, String> byKind = new ConcurrentHashMap<>();
        private final List<String> violations = new CopyOnWriteArrayList<>();

        void begin(String kind, String name) {
            String other = byKind.put(kind, name);
            if (other != null) {
                violations.add(kind + " begins at " + name + " while it runs at " + other);
            }
        }

        void end(String kind, String name) {
            if (!byKind.remove(kind, name)) {
                violations.add(kind + " ends at " + name + " where it does not run");
            }
        }

        boolean isIdle() {
            return byKind.isEmpty();
        }

        void assertNeverTwo() {
            assertThat(violations).isEmpty();
            assertThat(byKind).isEmpty();
        }
    }

    private final class Application implements AutoCloseable {

        final ConfigurableApplicationContext context;
        final Neli neli;
        final Poller poller;
        final Consumer consumer;
        final String name;

        Application(String name) {
            this.name = name;
            Place place = new Place(name, running, received);
            this.context = new SpringApplicationBuilder(Configured.class)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .initializers(context -> context.getBeanFactory().registerSingleton("place", place))
                    .run(
                            "--neli.name=" + name,
                            "--neli.group-id=" + topic,
                            "--neli.lease-duration=30s", // longer than a busy machine stalls
                            "--neli.handover-timeout=2m",
                            "--orders.topic=" + topic,
                            "--spring.kafka.bootstrap-servers=" + SharedBroker.address(),
                            "--spring.kafka.consumer.auto-offset-reset=earliest",
                            "--spring.kafka.consumer.group-id=" + topic);
            this.neli = context.getBean(Neli.class);
            this.poller = context.getBean(Poller.class);
            this.consumer = context.getBean(Consumer.class);
        }

        KafkaListenerEndpointRegistry registry() {
            return context.getBean(KafkaListenerEndpointRegistry.class);
        }

        @SuppressWarnings("unchecked")
        KafkaTemplate<String, String> template() {
            return context.getBean("kafkaTemplate", KafkaTemplate.class);
        }

        boolean isAnythingRunning() {
            return poller.isRunning()
                    || registry().getListenerContainer("orders").isRunning();
        }

        void awaitRunning() {
            until(() -> poller.isRunning()
                    && registry().getListenerContainer("orders").isRunning());
        }

        void awaitStandby() {
            until(() -> neli.leader().filter(leader -> !leader.self()).isPresent());
        }

        void sendAndAwait(String record, String receiver) {
            template().send(topic, record);
            until(() -> received.contains(record + " at " + receiver));
            assertThat(new ArrayList<>(received))
                    .filteredOn(entry -> entry.startsWith(record))
                    .hasSize(1);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    record Place(String name, Running running, List<String> received) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {

        @Bean
        Poller poller(Place place) {
            return new Poller(place);
        }

        @Bean
        Consumer consumer(Place place, LeaderKafkaTemplates<String, String> templates) {
            return new Consumer(place, templates.forRole(Neli.DEFAULT_ROLE));
        }
    }

    @StartWhenLeading
    static class Poller implements SmartLifecycle {

        private final Place place;
        private volatile boolean running;

        Poller(Place place) {
            this.place = place;
        }

        @Override
        public void start() {
            place.running().begin("poller", place.name());
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            place.running().end("poller", place.name());
        }

        @Override
        public boolean isAutoStartup() {
            return false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    static class Consumer {

        private final Place place;
        private final LeaderKafkaTemplate<String, String> template;
        private volatile CountDownLatch hold = new CountDownLatch(0);
        private volatile boolean held;

        Consumer(Place place, LeaderKafkaTemplate<String, String> template) {
            this.place = place;
            this.template = template;
        }

        /** Makes the next record last until the latch is released. */
        CountDownLatch hold() {
            hold = new CountDownLatch(1);
            return hold;
        }

        boolean isHeld() {
            return held;
        }

        @KafkaListener(id = "orders", idIsGroup = false, topics = "${orders.topic}")
        @StartWhenLeading
        void on(ConsumerRecord<String, String> order) throws InterruptedException {
            held = true;
            hold.await();
            template.executeInTransaction(operations -> operations.send(order.topic() + ".out", order.value()));
            place.received().add(order.value() + " at " + place.name());
        }

        @EventListener
        void on(ConsumerStartingEvent event) {
            place.running().begin("listener", place.name());
        }

        @EventListener
        void on(ConsumerStoppedEvent event) {
            place.running().end("listener", place.name());
        }
    }
}
