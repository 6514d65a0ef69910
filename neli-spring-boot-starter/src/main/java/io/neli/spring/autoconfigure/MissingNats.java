package io.neli.spring.autoconfigure;

import java.util.List;

import io.neli.NeliBuilder;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundles;

/** Where neli-nats is not on the class path. */
final class MissingNats implements NatsMembers {

    @Override
    public NeliBuilder builder(NeliProperties.Nats properties, @Nullable SslBundles bundles) {
        List<String> servers = properties.servers() == null ? List.of() : properties.servers();
        throw new NeliException(
                NatsChoice.SERVERS + " is '" + String.join(",", servers) + "', and neli-nats is not on the class path",
                "add the dependency io.neli:neli-nats, or remove the property for an election on Kafka");
    }
}
