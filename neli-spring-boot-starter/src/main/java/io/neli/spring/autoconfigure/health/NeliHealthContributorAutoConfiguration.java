package io.neli.spring.autoconfigure.health;

import java.util.stream.Collectors;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health of the election, {@code neli} in the health endpoint; off
 * with {@code management.health.neli.enabled=false}. It is not in the readiness group: a member that cannot reach the
 * leader topic still serves requests. {@code neliLeader/role}, up on the leader of the role and out of service elsewhere, is
 * only in the groups that include it.
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
    CompositeHealthContributor neliLeaderHealthContributor(Neli neli) {
        return CompositeHealthContributor.fromMap(
                neli.snapshot().partitions().stream()
                        .flatMap(partition -> partition.roles().stream())
                        // Boot separates names by slashes.
                        .collect(Collectors.toMap(role -> role.replace('/', '-'), role -> role, (one, other) -> one)),
                role -> (HealthIndicator) () -> leading(neli, role));
    }

    private static Health leading(Neli neli, String role) {
        Health.Builder health = neli.isLeader(role) ? Health.up() : Health.outOfService();
        neli.leader(role).ifPresent(leader -> health.withDetail("leader", leader.name())
                .withDetail("token", leader.token())
                .withDetail("metadata", leader.metadata()));
        return health.build();
    }

    @Bean
    static HealthEndpointGroupsPostProcessor neliLeaderHealthGroups() {
        return LeaderHealthGroups::of;
    }
}
