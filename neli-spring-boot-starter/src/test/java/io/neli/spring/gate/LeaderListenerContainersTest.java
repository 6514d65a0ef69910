package io.neli.spring.gate;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.StubNeli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerConfigUtils;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Tests only whether the consumers are running; there is no broker. */
@Timeout(240)
class LeaderListenerContainersTest {

    private final ApplicationContextRunner withoutGroup = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1");

    private final ApplicationContextRunner runner =
            withoutGroup.withPropertyValues("spring.kafka.consumer.group-id=orders");

    private final ApplicationContextRunner standby = runner.withBean(StubNeli.class, StubNeli::standby);

    @Test
    void neither_the_context_nor_the_registry_starts_a_container_without_leadership() {
        standby.withBean(OnMethods.class).run(context -> {
            assertThat(running(context)).isEmpty();
            context.getSourceApplicationContext().start();
            context.getSourceApplicationContext().pause();
            context.getSourceApplicationContext().restart();
            registry(context).stop();
            registry(context).start();
            assertThat(running(context)).isEmpty();

            acquire(context);
            assertThat(running(context)).hasSize(2);
            revoke(context);
            assertThat(running(context)).isEmpty();
        });
    }

    @Test
    void only_the_annotated_listeners_of_a_bean_follow_leadership() {
        standby.withBean(Mixed.class).run(context -> {
            assertThat(running(context)).containsExactly("free");
            acquire(context);
            assertThat(running(context)).containsExactlyInAnyOrder("free", "tied");
            revoke(context);
            assertThat(running(context)).containsExactly("free");
        });
    }

    @Test
    void a_class_of_listeners_and_a_class_that_is_one_follow_leadership() {
        standby.withBean(OnClass.class).withBean(Handlers.class).run(context -> {
            assertThat(running(context)).isEmpty();
            acquire(context);
            assertThat(running(context)).containsExactlyInAnyOrder("method", "handlers");
        });
    }

    @Test
    void the_topics_of_its_retries_follow_leadership_too() {
        standby.withBean(Retrying.class).run(context -> {
            assertThat(running(context)).isEmpty();
            acquire(context);
            assertThat(running(context))
                    .hasSize(registry(context).getListenerContainers().size())
                    .hasSizeGreaterThan(2);
        });
    }

    @Test
    void a_post_processor_of_the_application_is_called_and_a_container_stops_after_the_current_record() {
        standby.withBean(PostProcessed.class)
                .withUserConfiguration(OwnPostProcessor.class)
                .run(context -> {
                    MessageListenerContainer container = registry(context).getListenerContainer("seen");
                    assertThat(container).isNotNull();
                    assertThat(context.getBean(OwnPostProcessor.class).seen).containsExactly(container);
                    assertThat(container.getContainerProperties().isStopImmediate())
                            .isTrue();
                });
    }

    @Test
    void a_container_that_is_a_bean_follows_leadership() {
        standby.withUserConfiguration(ContainerBean.class).run(context -> {
            MessageListenerContainer container = context.getBean(MessageListenerContainer.class);
            assertThat(container.isRunning()).isFalse();
            acquire(context);
            assertThat(container.isRunning()).isTrue();
            context.getSourceApplicationContext().stop();
            assertThat(container.isRunning()).isFalse();
        });
    }

    @Test
    void a_listener_that_is_created_late_starts_if_it_is_led_already() {
        standby.withUserConfiguration(LazyListener.class).run(context -> {
            acquire(context);
            assertThat(running(context)).isEmpty();
            context.getBean(Mixed.class);
            assertThat(running(context)).containsExactlyInAnyOrder("free", "tied");
        });
    }

    @Test
    void a_lazy_application_has_the_listeners_that_are_to_run_while_it_leads() {
        standby.withBean(Mixed.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    acquire(context);
                    assertThat(running(context)).contains("tied");
                });
    }

    @Test
    void containers_that_were_unregistered_are_let_go_of_and_never_start_again() {
        standby.withUserConfiguration(PrototypeListener.class).run(context -> {
            List<WeakReference<MessageListenerContainer>> containers = new ArrayList<>();
            for (int each = 0; each < 5; each++) {
                PrototypeListener.OfPrototype bean = context.getBean(PrototypeListener.OfPrototype.class);
                acquire(context);
                MessageListenerContainer container =
                        registry(context).getListenerContainers().iterator().next();
                assertThat(container.isRunning()).isTrue();
                revoke(context);
                context.getBeanFactory().destroyBean(bean);
                registry(context).unregisterListenerContainer(container.getListenerId());
                acquire(context);
                assertThat(container.isRunning()).isFalse();
                revoke(context);
                containers.add(new WeakReference<>(container));
            }
            context.getBean(PrototypeListener.OfPrototype.class); // adding a listener makes it forget the last one
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                System.gc();
                return containers.stream().allMatch(container -> container.refersTo(null));
            });
        });
    }

    @Test
    void one_that_was_unregistered_while_it_runs_is_still_stopped() {
        standby.withBean(OnClass.class).run(context -> {
            acquire(context);
            MessageListenerContainer container = registry(context).unregisterListenerContainer("method");
            assertThat(container).isNotNull();
            assertThat(container.isRunning()).isTrue();
            revoke(context);
            assertThat(container.isRunning()).isFalse();
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void only_a_registry_with_such_a_container_is_changed_and_the_log_says_it_once(CapturedOutput output) {
        standby.withUserConfiguration(OtherRegistry.class).withBean(Mixed.class).run(context -> {
            KafkaListenerEndpointRegistry other = context.getBean("other", KafkaListenerEndpointRegistry.class);
            assertThat(other).hasFieldOrPropertyWithValue("alwaysStartAfterRefresh", true);
            assertThat(context.getBean(KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME))
                    .hasFieldOrPropertyWithValue("alwaysStartAfterRefresh", false);
        });
        assertThat(output.getOut().lines().filter(line -> line.contains("alwaysStartAfterRefresh")))
                .singleElement()
                .asString()
                .contains(" INFO ", KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void without_such_a_container_no_registry_is_changed(CapturedOutput output) {
        standby.withBean(Free.class).run(context -> assertThat(registry(context))
                .hasFieldOrPropertyWithValue("alwaysStartAfterRefresh", true));
        assertThat(output).doesNotContain("alwaysStartAfterRefresh");
    }

    @Test
    void a_registry_that_is_no_bean_is_refused() {
        KafkaListenerConfigurer configurer =
                registrar -> registrar.setEndpointRegistry(new KafkaListenerEndpointRegistry());
        standby.withBean(KafkaListenerConfigurer.class, () -> configurer)
                .withBean(Mixed.class)
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("declare the registry as a bean"));
    }

    @Test
    void disabled_it_never_runs_or_runs_as_without_the_annotation() {
        ApplicationContextRunner disabled =
                runner.withPropertyValues("neli.enabled=false").withBean(Mixed.class);
        disabled.run(context -> {
            context.getSourceApplicationContext().start();
            assertThat(running(context)).containsExactly("free");
        });
        disabled.withPropertyValues("neli.when-disabled=run")
                .run(context -> assertThat(running(context)).containsExactlyInAnyOrder("free", "tied"));
    }

    @Test
    void a_class_whose_annotation_does_not_reach_an_inherited_listener_is_refused() {
        standby.withBean(Inheriting.class).run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("it does not apply to the @KafkaListener method")
                .hasStackTraceContaining("Mixed.free()"));
    }

    @Test
    void a_factory_that_ignores_the_post_processor_is_refused() {
        standby.withBean(WithForeignFactory.class)
                .withUserConfiguration(ForeignFactory.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("WithForeignFactory.on()")
                        .hasMessageContaining("ignores the containerPostProcessor"));
    }

    @Test
    void a_consumer_without_a_group_is_refused() {
        ApplicationContextRunner nobody = withoutGroup.withBean(StubNeli.class, StubNeli::standby);
        nobody.withBean(OnMethods.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("OnMethods.on()", "no group id", "set spring.kafka.consumer.group-id"));
        nobody.withUserConfiguration(ContainerBean.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("(bean 'container')", "no group id"));
        nobody.withUserConfiguration(PrototypeListener.class)
                .run(context -> assertThatThrownBy(() -> context.getBean(PrototypeListener.OfPrototype.class))
                        .hasStackTraceContaining("OfPrototype.on(): its consumer has no group id"));
    }

    @Test
    void a_consumer_that_starts_without_a_group_in_the_properties_is_not_refused() {
        withoutGroup
                // An assigned consumer asks for its position, and a stop waits for the answer.
                .withPropertyValues("spring.kafka.properties.default.api.timeout.ms=100")
                .withBean(StubNeli.class, StubNeli::standby)
                .withBean(WithGroups.class)
                .withUserConfiguration(OwnFactory.class)
                .run(context -> {
                    acquire(context);
                    assertThat(running(context)).hasSize(4);
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {OfFutures.class, OfPublishers.class, OfStages.class})
    void a_listener_that_returns_before_its_record_is_processed_is_refused(Class<?> listener) {
        standby.withBean(listener).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(listener.getName(), "returns before it has processed its record"));
    }

    private static KafkaListenerEndpointRegistry registry(ApplicationContext context) {
        return context.getBean(KafkaListenerEndpointRegistry.class);
    }

    private static List<String> running(ApplicationContext context) {
        return registry(context).getListenerContainers().stream()
                .filter(MessageListenerContainer::isRunning)
                .map(MessageListenerContainer::getListenerId)
                .toList();
    }

    private static void acquire(ApplicationContext context) {
        long token = context.getBean(StubNeli.class).nextTerm();
        context.getBeanProvider(LeaderListener.class)
                .orderedStream()
                .forEach(listener -> listener.onEvent(new LeaderAcquired(Neli.DEFAULT_ROLE, 0, token)));
    }

    private static void revoke(ApplicationContext context) {
        context.getBean(StubNeli.class).lead(false);
        context.getBeanProvider(LeaderListener.class)
                .orderedStream()
                .forEach(listener -> listener.onEvent(
                        new LeaderRevoked(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN, RevokeReason.RESIGNED)));
    }

    static class OnMethods {

        @KafkaListener(topics = "orders")
        @KafkaListener(topics = "returns")
        @StartWhenLeading
        void on(String order) {}
    }

    @StartWhenLeading
    static class WithGroups {

        @KafkaListener(topics = "orders", groupId = "orders")
        void own(String order) {}

        @KafkaListener(topics = "orders", id = "id-is-group")
        void id(String order) {}

        @KafkaListener(topicPartitions = @TopicPartition(topic = "orders", partitions = "0"))
        void assigned(String order) {}

        @KafkaListener(topics = "orders", containerFactory = "own")
        void ofTheFactory(String order) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {

        @Bean
        ConcurrentKafkaListenerContainerFactory<Object, Object> own(ConsumerFactory<Object, Object> consumers) {
            Map<String, Object> properties = new HashMap<>(consumers.getConfigurationProperties());
            properties.put("group.id", "orders");
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(properties));
            return factory;
        }
    }

    static class Free {

        @KafkaListener(id = "free", topics = "orders")
        void free(String order) {}
    }

    static class Mixed {

        @KafkaListener(id = "free", topics = "orders")
        void free(String order) {}

        @KafkaListener(id = "tied", topics = "orders")
        @StartWhenLeading
        void tied(String order) {}
    }

    @StartWhenLeading
    static class Inheriting extends Mixed {}

    @StartWhenLeading
    static class OnClass {

        @KafkaListener(id = "method", topics = "orders")
        void on(String order) {}
    }

    @StartWhenLeading
    @KafkaListener(id = "handlers", topics = "orders")
    static class Handlers {

        @KafkaHandler
        void on(String order) {}
    }

    static class OfFutures {

        @KafkaListener(topics = "orders")
        @StartWhenLeading
        CompletableFuture<Void> on(String order) {
            return new CompletableFuture<>();
        }
    }

    static class OfStages {

        @KafkaListener(topics = "orders")
        @StartWhenLeading
        CompletionStage<Void> on(String order) {
            return new CompletableFuture<>();
        }
    }

    @StartWhenLeading
    @KafkaListener(topics = "orders")
    static class OfPublishers {

        @KafkaHandler
        Mono<Void> on(String order) {
            return Mono.never();
        }
    }

    static class Retrying {

        @RetryableTopic(autoCreateTopics = "false")
        @KafkaListener(id = "retrying", topics = "orders")
        @StartWhenLeading
        void on(String order) {}
    }

    static class PostProcessed {

        @KafkaListener(id = "seen", topics = "orders", containerPostProcessor = "own")
        @StartWhenLeading
        void on(String order) {}
    }

    @Configuration
    static class OwnPostProcessor {

        final List<MessageListenerContainer> seen = new CopyOnWriteArrayList<>();

        @Bean
        ContainerPostProcessor<String, String, ConcurrentMessageListenerContainer<String, String>> own() {
            return seen::add;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ContainerBean {

        @Bean
        @StartWhenLeading
        ConcurrentMessageListenerContainer<Object, Object> container(
                ConcurrentKafkaListenerContainerFactory<Object, Object> factory) {
            ConcurrentMessageListenerContainer<Object, Object> container = factory.createContainer("orders");
            container.setAutoStartup(false);
            container.setupMessageListener((MessageListener<Object, Object>) order -> {});
            return container;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyListener {

        @Bean
        @Lazy
        Mixed mixed() {
            return new Mixed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherRegistry {

        @Bean
        KafkaListenerEndpointRegistry other() {
            return new KafkaListenerEndpointRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeListener {

        @Bean
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        OfPrototype prototype() {
            return new OfPrototype();
        }

        static class OfPrototype {

            @KafkaListener(topics = "orders")
            @StartWhenLeading
            void on(String order) {}
        }
    }

    static class WithForeignFactory {

        @KafkaListener(id = "foreign", topics = "orders", containerFactory = "foreign")
        @StartWhenLeading
        void on(String order) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ForeignFactory {

        @Bean
        KafkaListenerContainerFactory<?> foreign(ConsumerFactory<Object, Object> consumers) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>() {
                        @Override
                        protected void customizeContainer(
                                ConcurrentMessageListenerContainer<Object, Object> instance,
                                KafkaListenerEndpoint endpoint) {
                            // skips the post processor
                        }
                    };
            factory.setConsumerFactory(consumers);
            return factory;
        }
    }
}
