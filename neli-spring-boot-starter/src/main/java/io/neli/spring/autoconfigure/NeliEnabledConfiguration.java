package io.neli.spring.autoconfigure;

import java.util.function.Supplier;

import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.spring.LeaderOnlyBeanPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** The election and what depends on it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "neli.enabled", matchIfMissing = true)
class NeliEnabledConfiguration {

    // The life cycle ends the election, before the beans that its work needs are destroyed; an inferred close() would
    // be a second end.
    @Bean(name = "io.neli.Neli", destroyMethod = "")
    @ConditionalOnMissingBean
    Neli neli(
            NeliProperties properties,
            Environment environment,
            ObjectProvider<KafkaProperties> kafkaProperties,
            ObjectProvider<KafkaConnectionDetails> connectionDetails,
            ObjectProvider<LeaderListener> listeners) {
        NeliBuilder builder = Neli.builder().listener(new LeaderListenerBeans(listeners));
        KafkaProperties kafka = kafkaProperties.getIfAvailable();
        new NeliBuilderConfigurer(
                        properties,
                        environment.getProperty("spring.application.name"),
                        kafka == null ? null : kafka.getConsumer().getGroupId())
                .configure(
                        builder,
                        ElectionClientProperties.of(properties.kafka(), kafka, connectionDetails.getIfAvailable()));
        return builder.build();
    }

    @Bean("io.neli.spring.autoconfigure.LeaderEventPublisher")
    LeaderEventPublisher leaderEventPublisher(ApplicationContext context) {
        return new LeaderEventPublisher(context);
    }

    @Bean("io.neli.spring.autoconfigure.NeliLifecycle")
    @ConditionalOnSingleCandidate(Neli.class)
    NeliLifecycle neliLifecycle(Neli neli) {
        return new NeliLifecycle(neli);
    }

    // Static and with a provider, so that neither this class nor the election is created ahead of other beans.
    @Bean("io.neli.spring.LeaderOnlyBeanPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(
            Environment environment, ObjectProvider<Neli> election) {
        Supplier<Neli> neli = SingletonSupplier.of(election::getObject);
        return ClassProxying.of(
                environment, new LeaderOnlyBeanPostProcessor(() -> neli.get().beginWork()));
    }
}
