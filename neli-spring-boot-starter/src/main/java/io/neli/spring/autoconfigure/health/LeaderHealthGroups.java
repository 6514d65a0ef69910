package io.neli.spring.autoconfigure.health;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointProperties;

/** Boot's groups, of which only those that include {@code neliLeader} by its name have it as a member. */
record LeaderHealthGroups(HealthEndpointGroups groups, HealthEndpointGroup primary, HealthEndpointProperties settings)
        implements HealthEndpointGroups, AdditionalPathsMapper {

    LeaderHealthGroups(HealthEndpointGroups groups, HealthEndpointProperties settings) {
        this(groups, new Group(groups.getPrimary(), Set.of()), settings);
    }

    @Override
    public HealthEndpointGroup getPrimary() {
        return primary; // always the same one: Boot compares
    }

    @Override
    public Set<String> getNames() {
        return groups.getNames();
    }

    @Override
    public @Nullable HealthEndpointGroup get(String name) {
        HealthEndpointGroup group = groups.get(name);
        Optional<Set<String>> included =
                Optional.ofNullable(settings.getGroup().get(name)).map(set -> set.getInclude());
        return group == null ? null : new Group(group, included.orElse(Set.of()));
    }

    @Override
    public @Nullable List<String> getAdditionalPaths(EndpointId endpoint, WebServerNamespace namespace) {
        return groups instanceof AdditionalPathsMapper paths ? paths.getAdditionalPaths(endpoint, namespace) : null;
    }

    private record Group(HealthEndpointGroup group, Set<String> included) implements HealthEndpointGroup {

        @Override
        public boolean isMember(String name) {
            return group.isMember(name)
                    && (!name.startsWith("neliLeader/") || included.contains("neliLeader") || included.contains(name));
        }

        @Override
        public boolean showComponents(SecurityContext security) {
            return group.showComponents(security);
        }

        @Override
        public boolean showDetails(SecurityContext security) {
            return group.showDetails(security);
        }

        @Override
        public StatusAggregator getStatusAggregator() {
            return group.getStatusAggregator();
        }

        @Override
        public HttpCodeStatusMapper getHttpCodeStatusMapper() {
            return group.getHttpCodeStatusMapper();
        }

        @Override
        public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
            return group.getAdditionalPath();
        }
    }
}
