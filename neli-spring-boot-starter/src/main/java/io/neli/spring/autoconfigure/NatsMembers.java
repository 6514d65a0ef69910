package io.neli.spring.autoconfigure;

import io.neli.NeliBuilder;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundles;

/** Begins to build members whose group elects its leader on NATS. Loads also where neli-nats is not on the class path. */
interface NatsMembers {

    /**
     * Knows the servers, and none of the other settings yet.
     *
     * @throws NeliException if the properties cannot work
     */
    NeliBuilder builder(NeliProperties.Nats properties, @Nullable SslBundles bundles);
}
