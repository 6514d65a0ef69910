package io.neli.spring.gate;

import java.time.Duration;

import io.neli.Neli;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link StartWhenLeading}. The components of a child context follow
 * the election that its beans see: its own, or else its parent's.
 */
@AutoConfiguration(
        after = NeliAutoConfiguration.class,
        afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@Import({ContextComponents.class, StartWhenLeadingBeanPostProcessor.class, LeaderListenerContainers.class})
public final class StartWhenLeadingAutoConfiguration {

    /** That of {@link io.neli.NeliBuilder}. */
    private static final Duration DEFAULT_HANDOVER_TIMEOUT = Duration.ofSeconds(20);

    private static final String PACKAGE = "io.neli.spring.gate.";

    // The post processors need it, so it is static, with providers: nothing else is created before other beans.
    @Bean(PACKAGE + "LeaderComponents")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderComponents leaderComponents(
            ConfigurableListableBeanFactory beans, ObjectProvider<Neli> election, Environment environment) {
        BeanFactory parent = beans.getParentBeanFactory();
        if (parent != null && beans.getBeanNamesForType(Neli.class, true, false).length == 0) {
            LeaderComponents ofParent =
                    parent.getBeanProvider(LeaderComponents.class).getIfAvailable();
            if (ofParent != null) {
                return ofParent; // its listeners are notified by the election
            }
        }
        return new LeaderComponents(SingletonSupplier.of(election::getObject), () -> Binder.get(environment)
                .bind("neli.handover-timeout", Duration.class)
                .orElse(DEFAULT_HANDOVER_TIMEOUT));
    }

    @Bean(PACKAGE + "ComponentStarter")
    @ConditionalOnBooleanProperty(name = "neli.enabled", matchIfMissing = true)
    @ConditionalOnBean(value = Neli.class, search = SearchStrategy.CURRENT)
    ComponentEvents componentStarter(LeaderComponents components) {
        return new ComponentEvents(ComponentEvents.LOWEST_PRECEDENCE, components::onEventLast);
    }

    @Bean(PACKAGE + "ComponentStopper")
    @ConditionalOnBooleanProperty(name = "neli.enabled", matchIfMissing = true)
    @ConditionalOnBean(value = Neli.class, search = SearchStrategy.CURRENT)
    ComponentEvents componentStopper(LeaderComponents components) {
        return new ComponentEvents(ComponentEvents.FIRST, components::onEventFirst);
    }
}
