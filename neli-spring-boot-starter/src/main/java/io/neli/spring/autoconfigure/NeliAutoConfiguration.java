package io.neli.spring.autoconfigure;

import io.neli.Neli;
import io.neli.spring.LeaderOnlyBeanPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for leader election.
 *
 * <p>Contributes a {@link Neli} that is built from {@link NeliProperties} and the application's Kafka connection, and backs
 * off where there is one already. It is started and stopped with the application context. A {@link Neli} bean of your own
 * calls the {@link io.neli.LeaderListener} beans only if you hand them to its builder; one of them publishes the
 * {@link io.neli.spring.LeadershipEvent leadership events}.
 */
@AutoConfiguration(after = KafkaAutoConfiguration.class)
@EnableConfigurationProperties(NeliProperties.class)
@Import({NeliEnabledConfiguration.class, NeliDisabledConfiguration.class})
public final class NeliAutoConfiguration {

    // Static and with a provider, so that neither this class nor the election is created ahead of other beans.
    @Bean("io.neli.spring.LeaderOnlyBeanPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(
            Environment environment, ObjectProvider<Neli> election) {
        return ClassProxying.of(
                environment, new LeaderOnlyBeanPostProcessor(SingletonSupplier.of(election::getObject)));
    }
}
