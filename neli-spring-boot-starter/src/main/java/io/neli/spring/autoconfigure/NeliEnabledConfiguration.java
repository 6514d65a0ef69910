package io.neli.spring.autoconfigure;

import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliMetrics;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The election and what depends on it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "neli.enabled", matchIfMissing = true)
class NeliEnabledConfiguration {

    private static final String PUBLISHER = "io.neli.spring.autoconfigure.LeaderEventPublisher";
    private static final String LIFECYCLE = "io.neli.spring.autoconfigure.NeliLifecycle";

    // The life cycle ends the election, before the beans that its work needs are destroyed; an inferred close() would
    // be a second end.
    @Bean(name = "io.neli.Neli", destroyMethod = "")
    @ConditionalOnMissingBean
    Neli neli(
            NeliProperties properties,
            Environment environment,
            ObjectProvider<KafkaProperties> kafkaProperties,
            ObjectProvider<KafkaConnectionDetails> connectionDetails,
            ListableBeanFactory beans,
            ObjectProvider<NeliMetrics> metrics) {
        NeliBuilder builder = Neli.builder().listener(new LeaderListenerBeans(beans));
        metrics.orderedStream().forEach(builder::metrics);
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

    @Bean(PUBLISHER)
    @ConditionalOnBean(value = Neli.class, search = SearchStrategy.CURRENT)
    @ConditionalOnMissingBean(name = PUBLISHER, search = SearchStrategy.CURRENT)
    LeaderEventPublisher leaderEventPublisher(ApplicationContext context) {
        return new LeaderEventPublisher(context);
    }

    // Of an election in this context alone: a child context must not close that of its parent.
    @Bean(LIFECYCLE)
    @ConditionalOnSingleCandidate(value = Neli.class, search = SearchStrategy.CURRENT)
    @ConditionalOnMissingBean(name = LIFECYCLE, search = SearchStrategy.CURRENT)
    NeliLifecycle neliLifecycle(BeanFactory beans) {
        return new NeliLifecycle(beans.getBean(Neli.class));
    }
}
