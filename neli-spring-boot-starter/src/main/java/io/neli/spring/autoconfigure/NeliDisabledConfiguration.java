package io.neli.spring.autoconfigure;

import java.util.List;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliProperties.WhenDisabled;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A stand-in for the election, so that what asks it works as ever; {@code @LeaderOnly} is checked as ever too. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "neli.enabled", havingValue = false)
class NeliDisabledConfiguration {

    // The group's name still tells one application from another, as in the transactional ids of its leader.
    @Bean("io.neli.Neli")
    @ConditionalOnMissingBean
    Neli neli(
            NeliProperties properties, @Value("${neli.group-id:${spring.application.name:disabled}}") String groupId) {
        List<String> roles = properties.roles();
        return new DisabledNeli(
                properties.whenDisabled() == WhenDisabled.RUN,
                roles == null || roles.isEmpty() ? Neli.DEFAULT_ROLE : roles.get(0),
                groupId);
    }
}
