package io.neli.spring.autoconfigure;

import io.nats.client.Options;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * How the election reaches NATS. If there is a bean of this type, the election is on NATS. A bean of your own replaces
 * {@code neli.nats.*}.
 */
@FunctionalInterface
public interface NeliNatsConnectionDetails extends ConnectionDetails {

    /** The servers of one cluster, and the credentials of this application. */
    Options getOptions();
}
