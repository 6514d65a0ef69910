package io.neli.spring.autoconfigure.health;

import java.util.List;
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

/** Boot's groups, but the primary one, the health of the application as a whole, has no member {@code neliLeader}. */
record LeaderHealthGroups(HealthEndpointGroups groups) implements HealthEndpointGroups, AdditionalPathsMapper {

    @Override
    public HealthEndpointGroup getPrimary() {
        return new Primary(groups.getPrimary());
    }

    @Override
    public Set<String> getNames() {
        return groups.getNames();
    }

    @Override
    public @Nullable HealthEndpointGroup get(String name) {
        return groups.get(name);
    }

    @Override
    public @Nullable List<String> getAdditionalPaths(EndpointId endpoint, WebServerNamespace namespace) {
        return groups instanceof AdditionalPathsMapper paths ? paths.getAdditionalPaths(endpoint, namespace) : null;
    }

    private record Primary(HealthEndpointGroup group) implements HealthEndpointGroup {

        @Override
        public boolean isMember(String name) {
            return !name.startsWith("neliLeader/") && group.isMember(name);
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
