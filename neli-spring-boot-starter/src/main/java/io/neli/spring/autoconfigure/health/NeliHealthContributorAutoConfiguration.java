package io.neli.spring.autoconfigure.health;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health of the election, {@code neli} in the health endpoint; off
 * with {@code management.health.neli.enabled=false}. It is not in the readiness group: a member that cannot reach the
 * leader topic still serves requests.
 */
@AutoConfiguration(after = NeliAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(Neli.class)
@ConditionalOnEnabledHealthIndicator("neli")
public final class NeliHealthContributorAutoConfiguration {

    // Boot derives the name in the health endpoint from the bean's name, which an application may use to replace it.
    @Bean
    @ConditionalOnMissingBean(name = {"neliHealthIndicator", "neliHealthContributor"})
    NeliHealthIndicator neliHealthIndicator(Neli neli) {
        return new NeliHealthIndicator(neli);
    }
}
