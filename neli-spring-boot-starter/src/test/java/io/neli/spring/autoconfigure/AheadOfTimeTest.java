package io.neli.spring.autoconfigure;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cglib.core.ReflectUtils;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs on the JVM what a native image would run: an application processed ahead of time defines no classes. */
@Tag("proof")
class AheadOfTimeTest {

    private static final String ENABLED = "spring.aot.enabled";
    private static final TestPropertyValues PROPERTIES = TestPropertyValues.of(
            "spring.kafka.bootstrap-servers=localhost:1", "spring.kafka.consumer.group-id=orders");

    @Test
    @SuppressWarnings("unchecked")
    @CompileWithForkedClassLoader
    void an_application_that_was_processed_ahead_of_time_generates_no_classes_and_follows_leadership()
            throws Exception {
        TestGenerationContext generated = process();

        Method inExpression =
                Class.forName("io.neli.spring.gate.LeaderListenerContainers").getMethod("postProcessor", int.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(inExpression))
                .as(inExpression.toString())
                .accepts(generated.getRuntimeHints());
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(KafkaListener.class))
                .as("an annotation that is enhanced")
                .accepts(generated.getRuntimeHints());
        assertThat(List.of(Job.class, Ledger.class, Shop.class, Mail.class)).allSatisfy(type -> assertThat(
                        RuntimeHintsPredicates.reflection().onMethodInvocation(method(type)))
                .as(method(type).toString())
                .accepts(generated.getRuntimeHints()));
        List<String> defined = new CopyOnWriteArrayList<>();
        TestCompiler.forSystem().with(generated).compile(compiled -> {
            System.setProperty(ENABLED, "true");
            ReflectUtils.setGeneratedClassHandler((name, bytes) -> defined.add(name));
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                PROPERTIES.applyTo(context);
                ApplicationContextInitializer<GenericApplicationContext> initializer =
                        compiled.getInstance(ApplicationContextInitializer.class);
                initializer.initialize(context);
                context.refresh();
                followsLeadership(context);
            } finally {
                System.clearProperty(ENABLED);
                ReflectUtils.setGeneratedClassHandler(null);
            }
        });
        assertThat(defined).as("classes that a native image cannot define").isEmpty();
    }

    private static TestGenerationContext process() {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Application.class);
            PROPERTIES.applyTo(context);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        }
        generated.writeGeneratedContent();
        return generated;
    }

    private static Method method(Class<?> type) {
        return type.getDeclaredMethods()[0];
    }

    private static void followsLeadership(GenericApplicationContext context) {
        Journal journal = context.getBean(Journal.class);
        MessageListenerContainer container =
                context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("orders");
        work(context);
        assertThat(journal.entries).containsExactly("settled", "booked", "sold", "sent");
        assertThat(container.isRunning()).isTrue();

        context.getBean(FakeNeli.class).fence();

        work(context);
        assertThat(journal.entries).containsExactly("settled", "booked", "sold", "sent");
        assertThat(container.isRunning()).isFalse();
    }

    private static void work(GenericApplicationContext context) {
        context.getBean(Job.class).settle();
        context.getBean(Ledger.class).book();
        context.getBean(Shop.class).sell();
        assertThat(context.getBean(Mail.class).send()).succeedsWithin(Duration.ofSeconds(30));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        KafkaAutoConfiguration.class,
        NeliAutoConfiguration.class,
        LeaderOnlyAutoConfiguration.class
    })
    @EnableTransactionManagement
    @EnableAsync
    static class Application {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().leading(true).build();
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new NoTransactions();
        }

        @Bean
        Journal journal() {
            return new Journal();
        }

        @Bean
        Job job(Journal journal) {
            return new Job(journal);
        }

        @Bean
        Ledger ledger(Journal journal) {
            return new Ledger(journal);
        }

        @Bean
        Shop shop(Journal journal) {
            return new Shop(journal);
        }

        @Bean
        Mail mail(Journal journal) {
            return new Mail(journal);
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    static class Journal {
        final List<String> entries = new CopyOnWriteArrayList<>();
    }

    static class Job {

        private final Journal journal;

        Job(Journal journal) {
            this.journal = journal;
        }

        @LeaderOnly
        void settle() {
            journal.entries.add("settled");
        }
    }

    @LeaderOnly
    static class Ledger {

        private final Journal journal;

        Ledger(Journal journal) {
            this.journal = journal;
        }

        @Transactional
        void book() {
            journal.entries.add("booked");
        }
    }

    @LeaderOnly
    static class Shop {

        private final Journal journal;

        Shop(Journal journal) {
            this.journal = journal;
        }

        void sell() {
            journal.entries.add("sold");
        }
    }

    static class Mail {

        private final Journal journal;

        Mail(Journal journal) {
            this.journal = journal;
        }

        @Async
        @LeaderOnly
        CompletableFuture<Void> send() {
            journal.entries.add("sent");
            return CompletableFuture.completedFuture(null);
        }
    }

    static class NoTransactions extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    static class Listener {

        @KafkaListener(id = "orders", topics = "orders")
        @StartWhenLeading
        void on(String order) {}
    }
}
