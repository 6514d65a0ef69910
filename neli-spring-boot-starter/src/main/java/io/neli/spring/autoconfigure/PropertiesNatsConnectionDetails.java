package io.neli.spring.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/** Those of {@code neli.nats.*}. */
record PropertiesNatsConnectionDetails(NeliProperties.Nats properties, @Nullable SslBundles bundles)
        implements NeliNatsConnectionDetails {

    @Override
    public List<String> getServers() {
        return properties.servers() == null ? List.of() : properties.servers();
    }

    @Override
    public @Nullable Path getCredentials() {
        return properties.credentials();
    }

    @Override
    public @Nullable String getUsername() {
        return properties.username();
    }

    @Override
    public @Nullable String getPassword() {
        return properties.password();
    }

    @Override
    public @Nullable String getToken() {
        return properties.token();
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        String bundle = properties.ssl().bundle();
        return StringUtils.hasLength(bundle) ? new SslBundleName("neli.nats.ssl.bundle", bundle).find(bundles) : null;
    }
}
