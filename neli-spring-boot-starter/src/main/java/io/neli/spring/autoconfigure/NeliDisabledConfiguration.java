package io.neli.spring.autoconfigure;

import java.util.Optional;

import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.spring.LeaderOnlyBeanPostProcessor;
import io.neli.spring.autoconfigure.NeliProperties.WhenDisabled;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** {@code @LeaderOnly} without an election. The annotation is checked as ever: what fails in production fails here. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "neli.enabled", havingValue = false)
class NeliDisabledConfiguration {

    // Bound here, not taken from the properties bean, which a post processor would create ahead of other beans.
    @Bean("io.neli.spring.LeaderOnlyBeanPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment) {
        WhenDisabled whenDisabled = Binder.get(environment)
                .bind("neli.when-disabled", WhenDisabled.class)
                .orElse(WhenDisabled.SKIP);
        Optional<LeaderWork> work =
                whenDisabled == WhenDisabled.RUN ? Optional.of(new UngatedWork()) : Optional.empty();
        return ClassProxying.of(environment, new LeaderOnlyBeanPostProcessor(() -> work));
    }

    private static final class UngatedWork implements LeaderWork {

        @Override
        public Leadership leadership() {
            throw new IllegalStateException("neli.enabled is false: there is no leadership");
        }

        @Override
        public void close() {}
    }
}
