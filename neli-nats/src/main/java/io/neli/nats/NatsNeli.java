package io.neli.nats;

import io.nats.client.Options;
import io.neli.Neli;
import io.neli.NeliBuilder;

/** Builds members whose group elects its leader on NATS. */
public final class NatsNeli {

    private NatsNeli() {}

    /**
     * Collects the settings of a member, as {@link Neli#builder()} does.
     *
     * @param servers addresses such as {@code nats://host:4222}, all of one cluster
     */
    public static NeliBuilder builder(String... servers) {
        return builder(Options.builder().servers(servers).build());
    }

    /**
     * Collects the settings of a member, as {@link Neli#builder()} does. The {@linkplain NeliBuilder#topic topic} is
     * the stream, by default the group id; its {@linkplain NeliBuilder#replicationFactor replication factor} is by
     * default 3 on a cluster, and 1 on a single server. The {@linkplain NeliBuilder#quorum quorum} must be 1.
     *
     * @param options how to connect: servers, credentials and TLS. Neli also verifies the servers' names, and sets
     *     reconnects, listeners, timeouts and the connection's name itself
     */
    public static NeliBuilder builder(Options options) {
        return Neli.builder().logs(new NatsProvider(VerifiedTls.of(options)));
    }
}
