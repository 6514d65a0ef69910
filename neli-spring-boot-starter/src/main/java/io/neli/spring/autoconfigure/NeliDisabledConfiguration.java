package io.neli.spring.autoconfigure;

import java.util.List;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliProperties.WhenDisabled;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** A stand-in for the election, so that what asks it works as ever; {@code @LeaderOnly} is checked as ever too. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "neli.enabled", havingValue = false)
class NeliDisabledConfiguration {

    @Bean("io.neli.Neli")
    @ConditionalOnMissingBean
    Neli neli(NeliProperties properties, Environment environment) {
        List<String> roles = properties.roles();
        String groupId = properties.groupId();
        return new DisabledNeli(
                properties.whenDisabled() == WhenDisabled.RUN,
                groupId == null ? environment.getProperty("spring.application.name", "") : groupId,
                roles == null || roles.isEmpty() ? Neli.DEFAULT_ROLE : roles.get(0));
    }
}
