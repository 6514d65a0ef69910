package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for leader election.
 *
 * <p>Defines a {@link Neli} bean named {@code neli}, unless this context or a parent has one already. This bean or your
 * own is started and stopped with the context that defines it, and notifies the {@link io.neli.LeaderListener} beans,
 * one of which publishes the {@link io.neli.spring.LeadershipEvent leadership events}.
 */
@AutoConfiguration(afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@EnableConfigurationProperties(NeliProperties.class)
@Import({
    MockVerification.class,
    NeliNatsConfiguration.class,
    NeliEnabledConfiguration.class,
    NeliDisabledConfiguration.class,
    LeaderKafkaConfiguration.class
})
public final class NeliAutoConfiguration {

    /** The name of the bean that starts and stops the election with its context. */
    static final String LIFECYCLE = "neliLifecycle";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeadershipListeners neliEventListenerFactory(ConfigurableListableBeanFactory beans) {
        return new LeadershipListeners(beans);
    }
}
