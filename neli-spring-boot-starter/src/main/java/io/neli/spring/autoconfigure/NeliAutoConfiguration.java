package io.neli.spring.autoconfigure;

import io.neli.Neli;
import io.neli.spring.LeaderOnlyBeanPostProcessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
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
 * off where there is one already, also in a parent context. It is started and stopped with the context that defines it; the
 * beans of child contexts with this auto-configuration are gated by it too. A {@link Neli} bean of your own calls the {@link io.neli.LeaderListener} beans only if you hand them to its builder; one of them publishes the
 * {@link io.neli.spring.LeadershipEvent leadership events}.
 */
@AutoConfiguration(after = KafkaAutoConfiguration.class)
@EnableConfigurationProperties(NeliProperties.class)
@Import({NeliEnabledConfiguration.class, NeliDisabledConfiguration.class})
public final class NeliAutoConfiguration {

    // Static and with a supplier, so that neither this class nor the election is created ahead of other beans. A post
    // processor sees the beans of its own context alone, so a child context needs one too; its election may be the
    // parent's.
    @Bean("io.neli.spring.LeaderOnlyBeanPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment, BeanFactory beans) {
        return ClassProxying.of(
                environment, new LeaderOnlyBeanPostProcessor(SingletonSupplier.of(() -> beans.getBean(Neli.class))));
    }
}
