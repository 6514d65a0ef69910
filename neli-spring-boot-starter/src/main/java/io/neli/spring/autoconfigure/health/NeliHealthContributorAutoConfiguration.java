package io.neli.spring.autoconfigure.health;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.Neli;
import io.neli.NeliException;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health of the election, {@code neli} in the health
 * endpoint, and with {@code management.health.neli-leader.enabled=true} also {@code neliLeader/role}, which is up on
 * the leader of the role only.
 */
@AutoConfiguration(after = NeliAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(Neli.class)
public final class NeliHealthContributorAutoConfiguration {

    // Boot derives the name in the health endpoint from the bean's name, by which an application can replace the bean.
    @Bean
    @ConditionalOnEnabledHealthIndicator("neli")
    @ConditionalOnMissingBean(name = {"neliHealthIndicator", "neliHealthContributor"})
    NeliHealthIndicator neliHealthIndicator(Neli neli, Environment environment) {
        boolean downWhenFailed = Boolean.TRUE.equals(Binder.get(environment) // names the property of an invalid value
                .bind("management.health.neli.down-when-failed", Boolean.class)
                .orElse(false));
        return new NeliHealthIndicator(neli, downWhenFailed);
    }

    @Bean
    @ConditionalOnBooleanProperty("management.health.neli-leader.enabled")
    @ConditionalOnMissingBean(name = {"neliLeaderHealthIndicator", "neliLeaderHealthContributor"})
    CompositeHealthContributor neliLeaderHealthContributor(Neli neli) {
        Set<String> roles = new LinkedHashSet<>(neli.roles());
        roles.add(neli.defaultRole());
        neli.snapshot().partitions().forEach(partition -> roles.addAll(partition.roles()));
        // Boot splits names at slashes.
        Map<String, String> named = roles.stream()
                .collect(Collectors.toMap(role -> role.replace('/', '-'), role -> role, (role, other) -> {
                    throw new NeliException(
                            "management.health.neli-leader.enabled is 'true', and the roles '" + role + "' and '"
                                    + other
                                    + "' would have the same name in the health endpoint, which shows no slashes",
                            "rename one of them, or set that property to 'false'");
                }));
        return CompositeHealthContributor.fromMap(named, role -> (HealthIndicator) () -> leading(neli, role));
    }

    private static Health leading(Neli neli, String role) {
        Health.Builder health = neli.isLeader(role) ? Health.up() : Health.status("STANDBY");
        neli.leader(role).ifPresent(leader -> health.withDetail("leader", leader.name())
                .withDetail("token", leader.token())
                .withDetail("metadata", leader.metadata()));
        return health.build();
    }
}
