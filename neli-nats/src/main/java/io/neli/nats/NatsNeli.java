package io.neli.nats;

import java.net.URISyntaxException;

import io.nats.client.Options;
import io.nats.client.support.NatsUri;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliException;

/** Builds members whose group elects its leader on NATS. */
public final class NatsNeli {

    private NatsNeli() {}

    /**
     * Collects the settings of a member, as {@link Neli#builder()} does.
     *
     * @param servers addresses such as {@code nats://host:4222}, all of one cluster
     * @throws NeliException if there is none, or one is blank or malformed
     */
    public static NeliBuilder builder(String... servers) {
        if (servers.length == 0) {
            throw invalid("", "there is no address");
        }
        for (String server : servers) {
            check(server);
        }
        return builder(Options.builder().servers(servers).build());
    }

    /** The client would skip a blank address, and use one on this machine if no other is left. */
    private static void check(String server) {
        if (server == null || server.isBlank()) {
            throw invalid(String.valueOf(server), "the address of a server is blank");
        }
        try {
            new NatsUri(server);
        } catch (URISyntaxException e) {
            String shown = server.replaceFirst("^(\\w+://)?.*@", "$1...@"); // without user name and password
            throw invalid(shown, "it is not an address: " + e.getReason());
        }
    }

    private static NeliException invalid(String server, String why) {
        return new NeliException(
                "servers is '" + server + "' in NatsNeli.builder(servers): " + why,
                "give the address of each server, such as nats://host:4222 or tls://host:4222");
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
