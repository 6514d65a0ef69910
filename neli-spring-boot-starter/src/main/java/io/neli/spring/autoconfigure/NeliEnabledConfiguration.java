package io.neli.spring.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Defines the election and the beans that depend on it. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnFlag.Enabled.class)
class NeliEnabledConfiguration {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    private static final String SPRING_BOOT_TEST = "org.springframework.boot.test.context.SpringBootTest";

    NeliEnabledConfiguration(Environment environment) {
        OnFlag.verifyEnabled(environment, true);
    }

    // Closed by the lifecycle bean, before the beans that its work needs are destroyed.
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Neli neli(
            NeliProperties properties,
            ApplicationContext context,
            @Qualifier("neliOnKafka") ObjectProvider<Servers> onKafka,
            @Qualifier("neliOnNats") ObjectProvider<Servers> onNats,
            ObjectProvider<NeliMetrics> metrics,
            ObjectProvider<NeliBuilderCustomizer> customizers) {
        Servers servers = onNats.getIfAvailable();
        if (servers == null) {
            NatsChoice.verifyOnKafka(properties.nats());
            servers = onKafka.getIfAvailable(() -> {
                throw NatsChoice.kafkaIsMissing();
            });
        }
        NeliBuilder builder = servers.builder();
        metrics.orderedStream().forEach(builder::metrics);
        UnknownProperties.warn(context.getEnvironment());
        String application = context.getEnvironment().getProperty("spring.application.name");
        new NeliBuilderConfigurer(properties, application).configure(builder);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        if (ClassUtils.isPresent(SPRING_BOOT_TEST, context.getClassLoader())) {
            log.info(
                    "In tests, @NeliTest of neli-spring-boot-starter-test, or neli.enabled=false, keeps the election from"
                            + " connecting to any server");
        }
        return builder.build();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderListenerBeans neliListenerBeans(
            ConfigurableListableBeanFactory beans, ObjectProvider<LeaderListener> all) {
        return new LeaderListenerBeans(beans, all);
    }

    @Bean
    @ConditionalOnMissingBean(name = "neliEventPublisher", search = SearchStrategy.CURRENT)
    @ConditionalOnBean(value = Neli.class, search = SearchStrategy.CURRENT)
    LeaderEventPublisher neliEventPublisher(ApplicationContext context) {
        return new LeaderEventPublisher(context);
    }

    @Bean
    @ConditionalOnMissingBean(name = "neliHandoverObservations")
    NeliMetrics neliHandoverObservations(ObjectProvider<ObservationRegistry> registry) {
        return new HandoverObservations(() -> registry.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    @Lazy(false)
    @Bean
    @ConditionalOnSingleCandidate(value = Neli.class, search = SearchStrategy.CURRENT)
    ReadyCandidate neliReadyCandidate(ApplicationContext context, NeliProperties properties) {
        // Not a condition, which ahead-of-time processing would evaluate at build time. An observer remains one.
        boolean required = properties.requireReadiness() && !Boolean.FALSE.equals(properties.candidate());
        return new ReadyCandidate(context.getBean(Neli.class), required);
    }

    // Only for an election of this context: a child context must not close its parent's.
    @Bean(NeliAutoConfiguration.LIFECYCLE)
    @ConditionalOnSingleCandidate(value = Neli.class, search = SearchStrategy.CURRENT)
    NeliLifecycle neliLifecycle(ConfigurableApplicationContext context) {
        return new NeliLifecycle(context.getBean(Neli.class), context);
    }

    /** The servers of the election, on Kafka or on NATS. */
    interface Servers {

        /** Creates a builder that has the servers, but none of the other settings yet. */
        NeliBuilder builder();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaConnectionDetails.class)
    static class OnKafka {

        @Bean
        Servers neliOnKafka(
                NeliProperties properties,
                ObjectProvider<KafkaProperties> common,
                ObjectProvider<KafkaConnectionDetails> details,
                ObjectProvider<SslBundles> bundles) {
            return () -> Neli.builder()
                    .kafka(ElectionClientProperties.of(
                            properties.kafka(),
                            common.getIfAvailable(),
                            details.getIfAvailable(),
                            bundles.getIfAvailable()));
        }
    }
}
