package io.neli.spring.autoconfigure;

import io.nats.client.Options;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * How the election reaches NATS. Where there is such a bean, the election is on NATS. One of your own takes the place
 * of {@code neli.nats.*}.
 */
@FunctionalInterface
public interface NeliNatsConnectionDetails extends ConnectionDetails {

    /** Servers of one cluster, and how this application identifies itself there. */
    Options getOptions();
}
