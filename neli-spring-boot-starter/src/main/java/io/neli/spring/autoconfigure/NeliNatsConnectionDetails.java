package io.neli.spring.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * How the election reaches NATS. Where there is such a bean, the election is on NATS. One of your own takes the place of
 * {@code neli.nats.*}.
 */
public interface NeliNatsConnectionDetails extends ConnectionDetails {

    /** Servers of one cluster, such as {@code nats://host:4222}. */
    List<String> getServers();

    /** A file with credentials (.creds). Of this, user name and token at most one is not null. */
    default @Nullable Path getCredentials() {
        return null;
    }

    /** With a password. */
    default @Nullable String getUsername() {
        return null;
    }

    /** With a user name. */
    default @Nullable String getPassword() {
        return null;
    }

    /** Where the servers ask for one. */
    default @Nullable String getToken() {
        return null;
    }

    /** Encrypts the connection. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
