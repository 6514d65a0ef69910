package io.neli.spring.gate;

import java.io.Closeable;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Optional;

import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.StubNeli;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.StubMethod;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerInitializedEvent;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.AcknowledgingMessageListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** A method's caller may make the annotation useless. */
class LeaderOnlyCallerTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeaderOnlyAutoConfiguration.class))
            .withBean(StubNeli.class, StubNeli::standby);

    @ParameterizedTest
    @ValueSource(classes = {OnPostConstruct.class, OnAfterPropertiesSet.class, NamesInitMethod.class})
    void what_is_called_when_a_bean_is_made_is_refused(Class<?> type) {
        assertRefused(type, "on every member", "LeaderAcquiredEvent");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnPreDestroy.class,
                OnDestroy.class,
                OnClose.class,
                NamesDestroyMethod.class,
                InfersDestroyMethod.class
            })
    void what_is_called_when_a_bean_is_destroyed_is_refused(Class<?> type) {
        assertRefused(type, "on every member", "LeaderRevokedEvent");
    }

    @Test
    void what_starts_and_stops_with_the_application_is_refused() {
        assertRefused(Poller.class, "starts or stops", "@StartWhenLeading");
    }

    @Test
    void a_method_that_only_has_the_name_of_a_callback_is_accepted() {
        assertAccepted(OtherRun.class);
    }

    @Test
    void such_a_method_may_be_in_an_annotated_class() {
        assertAccepted(WithCallbacks.class);
    }

    @Test
    void a_method_that_its_bean_definition_does_not_name_is_accepted() {
        assertAccepted(NamesOtherMethods.class);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Runner.class,
                LineRunner.class,
                Initialized.class,
                Ready.class,
                WebServer.class,
                Started.class,
                Refreshed.class,
                OfSpringApplication.class,
                OfContext.class,
                ReadyListener.class,
                OneTime.class
            })
    void what_is_called_once_at_the_start_is_refused(Class<?> type) {
        assertRefused(type, "lead only later", "LeaderAcquiredEvent");
    }

    @ParameterizedTest
    @ValueSource(classes = {Closed.class, ClosedByClass.class, Stopped.class})
    void what_is_called_when_the_election_has_closed_is_refused_even_if_it_throws(Class<?> type) {
        assertRefused(type, "so it never runs", "LeaderRevokedEvent");
    }

    @Test
    void what_is_called_at_the_start_and_again_later_is_accepted() {
        assertAccepted(AlsoAtTheStart.class);
    }

    @Test
    void a_listener_of_all_events_is_accepted() {
        assertAccepted(OfAll.class);
    }

    @ParameterizedTest
    @ValueSource(classes = {Controller.class, AnnotatedController.class, Messages.class, Handler.class})
    void what_answers_requests_is_refused(Class<?> type) {
        assertRefused(type, "would look like success", "@LeaderOnly(otherwise = THROW)");
    }

    @Test
    void so_is_a_grpc_service_but_not_a_client() {
        Class<?> observer = face("io.grpc.stub.StreamObserver", LeaderOnlyCallerTest.class.getClassLoader());
        Class<?> bindable = face("io.grpc.BindableService", observer.getClassLoader());
        assertRefused(grpc(observer, bindable), "or never come", "@LeaderOnly(otherwise = THROW)");
        assertAccepted(grpc(observer, Runnable.class));
    }

    private static Class<?> face(String name, ClassLoader parent) {
        return new ByteBuddy().makeInterface().name(name).make().load(parent).getLoaded();
    }

    private static Class<?> grpc(Class<?> observer, Class<?> implemented) {
        return new ByteBuddy()
                .subclass(Object.class)
                .implement(implemented)
                .name("io.neli.spring.consumers.Service")
                .defineMethod("settle", void.class, Visibility.PUBLIC)
                .withParameters(String.class, observer)
                .intercept(StubMethod.INSTANCE)
                .annotateMethod(
                        AnnotationDescription.Builder.ofType(LeaderOnly.class).build())
                .make()
                .load(implemented == Runnable.class ? observer.getClassLoader() : implemented.getClassLoader())
                .getLoaded();
    }

    @ParameterizedTest
    @ValueSource(classes = {RecordConsumer.class, RecordHandler.class, RecordListener.class})
    void a_consumer_of_records_is_refused(Class<?> type) {
        assertRefused(type, "would be committed unread", "@StartWhenLeading");
    }

    @ParameterizedTest
    @ValueSource(classes = {PrivateListener.class, StaticListener.class})
    void modifiers_do_not_hide_a_consumer_in_an_annotated_class(Class<?> type) {
        assertRefused(type, "would be committed unread");
    }

    @Test
    void one_that_no_proxy_can_intercept_is_refused_even_if_it_throws_elsewhere() {
        assertRefused(PrivateHandler.class, "no proxy can intercept a private method");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.jms.annotation.JmsListener",
                "org.springframework.amqp.rabbit.annotation.RabbitListener",
                "org.springframework.amqp.rabbit.annotation.RabbitHandler",
                "org.springframework.pulsar.annotation.PulsarListener",
                "org.springframework.modulith.events.ApplicationModuleListener",
                "io.awspring.cloud.sqs.annotation.SqsListener"
            })
    void a_consumer_of_messages_is_refused_unless_it_throws_elsewhere(String annotation) {
        assertRefused(
                annotatedWith(annotation, Otherwise.SKIP),
                "would be acknowledged unread",
                "@LeaderOnly(otherwise = THROW)",
                "@StartWhenLeading");
        assertAccepted(annotatedWith(annotation, Otherwise.THROW));
    }

    @Test
    void so_is_one_that_implements_an_interface_of_its_library() {
        assertRefused(MessageListener.class, "would be acknowledged unread");
    }

    @Test
    void an_overload_of_such_a_method_is_accepted() {
        assertAccepted(Overloaded.class);
    }

    @ParameterizedTest
    @ValueSource(classes = {ThrowingRunner.class, ThrowingController.class, ThrowingConsumer.class})
    void a_call_that_throws_elsewhere_is_not_lost(Class<?> type) {
        assertAccepted(type);
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalClass.class, SealedClass.class, OfFactory.class})
    void a_class_that_no_proxy_can_extend_is_refused(Class<?> type) {
        assertRefused(type, "no proxy can extend the class", "move the method");
    }

    @Test
    void a_record_is_refused_unless_an_interface_is_enough() {
        assertRefused(RecordJob.class, "no proxy can extend the class", "a record");
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(RecordJob.class, RecordJob::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Creates a class with an annotated method. The annotation's library is not on the class path here. */
    private static Class<?> annotatedWith(String annotation, Otherwise otherwise) {
        assertThat(ClassUtils.isPresent(annotation, null)).isFalse();
        DynamicType.Unloaded<? extends Annotation> made = new ByteBuddy()
                .makeAnnotation()
                .name(annotation)
                .annotateType(AnnotationDescription.Builder.ofType(Retention.class)
                        .define("value", RetentionPolicy.RUNTIME)
                        .build())
                .make();
        return new ByteBuddy()
                .subclass(Object.class)
                .name("io.neli.spring.consumers.Consumer")
                .defineMethod("on", void.class, Visibility.PUBLIC)
                .withParameters(String.class)
                .intercept(StubMethod.INSTANCE)
                .annotateMethod(
                        AnnotationDescription.Builder.ofType(made.getTypeDescription())
                                .build(),
                        AnnotationDescription.Builder.ofType(LeaderOnly.class)
                                .define("otherwise", otherwise)
                                .build())
                .make()
                .include(made)
                .load(LeaderOnlyCallerTest.class.getClassLoader())
                .getLoaded();
    }

    private void assertRefused(Class<?> type, String... words) {
        with(type).run(context -> {
            String place = (type.isAnnotationPresent(Configuration.class) ? Cache.class : type).getName();
            assertThat(context).getFailure().hasStackTraceContaining("@LeaderOnly cannot work on " + place);
            for (String word : words) {
                assertThat(context).getFailure().hasStackTraceContaining(word);
            }
        });
    }

    private void assertAccepted(Class<?> type) {
        with(type).run(context -> assertThat(context).hasNotFailed());
    }

    private ApplicationContextRunner with(Class<?> type) {
        return runner.withClassLoader(type.getClassLoader()).withBean(type.getName(), type);
    }

    static class OnPostConstruct {

        @PostConstruct
        @LeaderOnly
        void prepare() {}
    }

    static class OnAfterPropertiesSet implements InitializingBean {

        @Override
        @LeaderOnly
        public void afterPropertiesSet() {}
    }

    static class OnPreDestroy {

        @PreDestroy
        @LeaderOnly
        void cleanUp() {}
    }

    static class OnDestroy implements DisposableBean {

        @Override
        @LeaderOnly
        public void destroy() {}
    }

    static class OnClose implements Closeable {

        @Override
        @LeaderOnly
        public void close() {}
    }

    /** Its bean's definition names the methods that Spring calls. */
    static class Cache {

        @LeaderOnly
        void fill() {}

        void other() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NamesInitMethod {

        @Bean(initMethod = "fill")
        Cache cache() {
            return new Cache();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamesDestroyMethod {

        @Bean(destroyMethod = "fill")
        Cache cache() {
            return new Cache();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InfersDestroyMethod {

        @Bean
        CachePool pool() {
            return new CachePool();
        }
    }

    static class CachePool {

        @LeaderOnly
        public void shutdown() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NamesOtherMethods {

        @Bean(initMethod = "other", destroyMethod = "other")
        Cache cache() {
            return new Cache();
        }
    }

    @LeaderOnly
    static class WithCallbacks implements InitializingBean, DisposableBean {

        @PostConstruct
        private void prepare() {}

        @PreDestroy
        private static void cleanUp() {}

        @Override
        public void afterPropertiesSet() {}

        @Override
        public void destroy() {}
    }

    @LeaderOnly
    static class Runner implements ApplicationRunner {

        @Override
        public void run(ApplicationArguments arguments) {}
    }

    static class OtherRun implements CommandLineRunner {

        @Override
        public void run(String... arguments) {}

        @LeaderOnly
        void run() {}
    }

    static class Poller implements SmartLifecycle {

        @Override
        @LeaderOnly
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static class LineRunner implements CommandLineRunner {

        @Override
        @LeaderOnly
        public void run(String... arguments) {}
    }

    static class ThrowingRunner implements CommandLineRunner {

        @Override
        @LeaderOnly(otherwise = Otherwise.THROW)
        public void run(String... arguments) {}
    }

    static class Initialized implements SmartInitializingSingleton {

        @Override
        @LeaderOnly
        public void afterSingletonsInstantiated() {}
    }

    static class Ready {

        @EventListener(ApplicationReadyEvent.class)
        @LeaderOnly
        void settle() {}
    }

    static class WebServer {

        @EventListener({ServletWebServerInitializedEvent.class, ReactiveWebServerInitializedEvent.class})
        @LeaderOnly
        void settle() {}
    }

    static class Started {

        @EventListener
        @LeaderOnly
        void settle(ApplicationStartedEvent event) {}
    }

    static class Refreshed {

        @EventListener
        @LeaderOnly
        void settle(ContextRefreshedEvent event) {}
    }

    static class OfSpringApplication {

        @EventListener
        @LeaderOnly
        void settle(SpringApplicationEvent event) {}
    }

    static class OfContext {

        @EventListener
        @LeaderOnly
        void settle(ApplicationContextEvent event) {}
    }

    static class OfAll {

        @EventListener
        @LeaderOnly
        void audit(ApplicationEvent event) {}

        @EventListener
        @LeaderOnly
        void audit(Object event) {}

        @Scheduled(initialDelay = 10, fixedDelay = 10)
        @LeaderOnly
        void flush() {}
    }

    static class AlsoAtTheStart {

        @Scheduled(initialDelay = 10)
        @Scheduled(cron = "0 0 3 * * *")
        @LeaderOnly
        void settle() {}
    }

    static class OneTime {

        @Scheduled(initialDelay = 10)
        @LeaderOnly
        void settle() {}
    }

    static class Closed {

        @EventListener
        @LeaderOnly
        void settle(ContextClosedEvent event) {}
    }

    static class ClosedByClass {

        @EventListener(ContextClosedEvent.class)
        @LeaderOnly(otherwise = Otherwise.THROW)
        void settle() {}
    }

    static class Stopped {

        @EventListener
        @LeaderOnly
        void settle(ContextStoppedEvent event) {}
    }

    static class ReadyListener implements ApplicationListener<ApplicationReadyEvent> {

        @Override
        @LeaderOnly
        public void onApplicationEvent(ApplicationReadyEvent event) {}
    }

    static class Controller {

        @PostMapping("/settle")
        @LeaderOnly
        void settle() {}
    }

    @RestController
    @LeaderOnly
    static class AnnotatedController {

        @GetMapping("/next")
        Optional<String> next() {
            return Optional.of("invoice");
        }
    }

    @RestController
    @LeaderOnly(otherwise = Otherwise.THROW)
    static class ThrowingController extends AnnotatedController {

        @Override
        Optional<String> next() {
            return Optional.of("receipt");
        }
    }

    static class Messages {

        @MessageMapping("settle")
        @LeaderOnly
        void settle() {}
    }

    static class Handler implements HttpRequestHandler {

        @Override
        @LeaderOnly
        public void handleRequest(HttpServletRequest request, HttpServletResponse response) {}
    }

    static class RecordConsumer {

        @KafkaListener(topics = "orders")
        @LeaderOnly
        void on(String value) {}
    }

    @LeaderOnly
    static class RecordHandler {

        @KafkaHandler
        void handle(String value) {}
    }

    @LeaderOnly
    static class PrivateListener {

        @KafkaListener(topics = "orders")
        private void on(String value) {}
    }

    @LeaderOnly
    static class StaticListener {

        @KafkaListener(topics = "orders")
        static void on(String value) {}
    }

    @LeaderOnly(otherwise = Otherwise.THROW)
    static class PrivateHandler {

        @PostMapping("/settle")
        private void settle() {}
    }

    static class RecordListener implements AcknowledgingMessageListener<String, String> {

        @Override
        @LeaderOnly
        public void onMessage(ConsumerRecord<String, String> message, @Nullable Acknowledgment acknowledgment) {}
    }

    static class Overloaded implements AcknowledgingMessageListener<String, String> {

        @Override
        public void onMessage(ConsumerRecord<String, String> message, @Nullable Acknowledgment acknowledgment) {}

        @LeaderOnly
        public void onMessage(String message, @Nullable Acknowledgment acknowledgment) {}
    }

    static class MessageListener implements MessageHandler {

        @Override
        @LeaderOnly
        public void handleMessage(Message<?> message) {}
    }

    static class ThrowingConsumer {

        @KafkaListener(topics = "orders")
        @LeaderOnly(otherwise = Otherwise.THROW)
        void on(String value) {}
    }

    static final class FinalClass {

        @LeaderOnly
        void settle() {}
    }

    static sealed class SealedClass {

        @LeaderOnly
        void settle() {}
    }

    static final class Permitted extends SealedClass {}

    static class OfFactory {

        private OfFactory() {}

        @LeaderOnly
        void settle() {}
    }

    record RecordJob() implements Runnable {

        @Override
        @LeaderOnly
        public void run() {}
    }
}
