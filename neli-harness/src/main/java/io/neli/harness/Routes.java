package io.neli.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.neli.harness.BrokerConfiguration.Listener;
import io.neli.harness.BrokerConfiguration.Node;

/**
 * The routes to the brokers of a cluster, whose ids start at 1. A broker's first listener is for direct access. In
 * addition, each client has its own listener and link at each broker.
 */
public record Routes(List<Node> brokers, Map<String, List<Link>> links) {

    public static Routes open(Network network, int brokers, List<String> clients) {
        List<Node> nodes = new ArrayList<>();
        Map<String, List<Link>> links = new LinkedHashMap<>();
        for (int id = 1; id <= brokers; id++) {
            int direct = Network.freePort();
            List<Listener> listeners = new ArrayList<>(List.of(new Listener("DIRECT", direct, direct)));
            for (String client : clients) {
                int port = Network.freePort();
                Link link = network.link(port);
                links.computeIfAbsent(client, name -> new ArrayList<>()).add(link);
                listeners.add(new Listener(client.toUpperCase(Locale.ROOT), port, link.port()));
            }
            nodes.add(new Node(id, listeners, Network.freePort()));
        }
        return new Routes(nodes, links);
    }

    /** The bootstrap servers of a client. */
    public String bootstrapServers(String client) {
        return links.getOrDefault(client, List.of()).stream().map(Link::address).collect(Collectors.joining(","));
    }
}
