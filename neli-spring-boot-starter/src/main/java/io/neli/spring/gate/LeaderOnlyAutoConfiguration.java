package io.neli.spring.gate;

import java.util.Optional;

import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link LeaderOnly} and {@link StartWhenLeading}. A child
 * context checks its own beans against the election that they see: its own, or else its parent's.
 */
@AutoConfiguration(
        after = NeliAutoConfiguration.class,
        afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
public final class LeaderOnlyAutoConfiguration {

    // Beans that the post processors need are static and look up the election later, so that they create no other bean
    // too early.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RoleResolver neliRoleResolver(ConfigurableListableBeanFactory beans) {
        return new RoleResolver(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(
            RoleResolver roles, Environment environment, BeanFactory beans) {
        LeaderOnlyBeanPostProcessor processor = new LeaderOnlyBeanPostProcessor(
                roles,
                SingletonSupplier.of(() -> beans.getBean(Neli.class)),
                SingletonSupplier.of(() ->
                        beans.getBeanProvider(ObservationRegistry.class).getIfUnique(() -> ObservationRegistry.NOOP)));
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ScheduledJobs neliScheduledJobs(ConfigurableApplicationContext context, RoleResolver roles) {
        return new ScheduledJobs(context, roles);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderComponents neliLeaderComponents(ConfigurableListableBeanFactory beans) {
        BeanFactory parent = beans.getParentBeanFactory();
        boolean notified = true;
        if (parent != null && beans.getBeanNamesForType(Neli.class, true, false).length == 0) {
            LeaderComponents ofParent =
                    parent.getBeanProvider(LeaderComponents.class).getIfAvailable();
            if (ofParent != null) {
                return ofParent; // the election notifies the parent's listeners
            }
            notified = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Neli.class, true, false).length == 0;
        }
        return new LeaderComponents(SingletonSupplier.of(() -> beans.getBean(Neli.class)), notified);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ContextComponents neliContextComponents(ApplicationContext context, LeaderComponents components) {
        return new ContextComponents(context, components);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static StartWhenLeadingBeanPostProcessor startWhenLeadingBeanPostProcessor(
            ConfigurableListableBeanFactory beans, ContextComponents components, RoleResolver roles) {
        return new StartWhenLeadingBeanPostProcessor(beans, components, roles);
    }

    /** What leadership starts or runs is not initialized lazily: nothing else would create these beans. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LazyInitializationExcludeFilter neliStartedBeans(ConfigurableListableBeanFactory beans) {
        return (name, definition, type) -> ScheduledJobs.isIn(type)
                || StartWhenLeadingBeanPostProcessor.isOnListener(type)
                || beans.findAnnotationOnBean(name, StartWhenLeading.class, false) != null;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(value = Neli.class, name = "neliListenerBeans", search = SearchStrategy.CURRENT)
    static class Events {

        /**
         * Components stop before the listeners that clean up after them. {@link io.neli.spring.LeaderKafkaTemplates}
         * comes even earlier: a component that stops must still be able to write.
         */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE + 100)
        LeaderListener neliComponentStopper(LeaderComponents components) {
            return components::onEventFirst;
        }

        /** Components start after the listeners that prepare for them. */
        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        LeaderListener neliComponentStarter(LeaderComponents components) {
            return new LeaderListener() {
                @Override
                public void onEvent(LeaderEvent event) {
                    components.onEventLast(event);
                }

                @Override
                public void onLeaderChanged(String role, Optional<Leader> leader) {
                    components.startLate();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaListener.class)
    static class Kafka {

        @Bean(LeaderListenerContainers.NAME)
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LeaderListenerContainers leaderListenerContainers(
                ConfigurableListableBeanFactory beans, ContextComponents components, RoleResolver roles) {
            return new LeaderListenerContainers(beans, components, roles);
        }
    }

    /** Suppresses the observations of scheduled calls that are skipped here. */
    @Bean
    static ObservationPredicate neliSkippedTicks(LeaderOnlyBeanPostProcessor gate, Environment environment) {
        boolean skip = Boolean.TRUE.equals(Binder.get(environment) // names the property if the value is invalid
                .bind("neli.scheduling.skip-observations", Boolean.class)
                .orElse(true));
        return (name, context) -> !skip
                || !(context instanceof ScheduledTaskObservationContext tick)
                || !gate.skips(tick.getMethod(), tick.getTargetClass());
    }
}
