package io.neli.spring.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health of the election, {@code neli} in the health endpoint; off
 * with {@code management.health.neli.enabled=false}. It is not in the readiness group: a member that cannot reach the
 * leader topic still serves requests. {@code neliLeader/role}, up on the leader of the role and out of service elsewhere, is
 * only in the groups that include it by its name.
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

    @Bean
    @ConditionalOnMissingBean(name = {"neliLeaderHealthIndicator", "neliLeaderHealthContributor"})
    CompositeHealthContributor neliLeaderHealthContributor(Neli neli, Environment environment) {
        Map<String, String> roles = new LinkedHashMap<>();
        Consumer<String> add = role -> {
            String other = roles.put(role.replace('/', '-'), role); // Boot splits at slashes
            if (other != null && !other.equals(role)) {
                throw new NeliException(
                        "roles '" + other + "' and '" + role + "' have the same name in the health endpoint",
                        "rename one of them, or set management.health.neli.enabled to false");
            }
        };
        Optional<NeliSnapshot> snapshot = Optional.ofNullable(neli.snapshot()); // a mock has none
        snapshot.ifPresent(
                some -> some.partitions().forEach(each -> each.roles().forEach(add)));
        if (roles.isEmpty()) { // neli.enabled is false
            add.accept(Optional.ofNullable(neli.defaultRole()).orElse(Neli.DEFAULT_ROLE));
            Binder.get(environment)
                    .bind("neli.roles", Bindable.listOf(String.class))
                    .ifBound(listed -> listed.forEach(add));
        }
        return CompositeHealthContributor.fromMap(roles, role -> (HealthIndicator) () -> leading(neli, role));
    }

    private static Health leading(Neli neli, String role) {
        Health.Builder health = neli.isLeader(role) ? Health.up() : Health.outOfService();
        neli.leader(role).ifPresent(leader -> health.withDetail("leader", leader.name())
                .withDetail("token", leader.token())
                .withDetail("metadata", leader.metadata()));
        return health.build();
    }

    @Bean("io.neli.spring.autoconfigure.health.LeaderHealthGroups")
    static HealthEndpointGroupsPostProcessor neliLeaderHealthGroups(ObjectProvider<HealthEndpointProperties> settings) {
        return groups -> new LeaderHealthGroups(groups, settings.getObject());
    }
}
