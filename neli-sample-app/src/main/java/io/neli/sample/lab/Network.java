package io.neli.sample.lab;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import io.neli.sample.broker.BrokerConfiguration.Listener;
import io.neli.sample.broker.BrokerConfiguration.Node;
import io.neli.sample.lab.process.Link;

/**
 * The ways to the brokers: each instance has a listener and a link of its own at each broker; a broker's first listener is for
 * direct access.
 */
record Network(List<Node> brokers, Map<String, List<Link>> links) {

    private static final String HOST = "127.0.0.1:";

    static Network open(int brokers, List<String> instances) throws IOException {
        Iterator<Integer> ports = freePorts(brokers * (instances.size() + 2)).iterator();
        List<Node> nodes = new ArrayList<>();
        Map<String, List<Link>> links = new LinkedHashMap<>();
        for (int id = 1; id <= brokers; id++) {
            int direct = ports.next();
            List<Listener> listeners = new ArrayList<>(List.of(new Listener("DIRECT", direct, direct)));
            for (String instance : instances) {
                int port = ports.next();
                Link link = Link.open(instance, port);
                links.computeIfAbsent(instance, name -> new ArrayList<>()).add(link);
                listeners.add(new Listener(instance.toUpperCase(Locale.ROOT), port, link.port()));
            }
            nodes.add(new Node(id, listeners, ports.next()));
        }
        return new Network(nodes, links);
    }

    static String address(Node broker) {
        return HOST + broker.listeners().get(0).port();
    }

    static String bootstrapServers(List<Link> links) {
        return links.stream().map(link -> HOST + link.port()).collect(Collectors.joining(","));
    }

    void close() {
        links.values().forEach(each -> each.forEach(Link::close));
    }

    /** Below the ports of outgoing connections: a client of a stopped broker could get the broker's port otherwise. */
    private static List<Integer> freePorts(int count) throws IOException {
        Set<Integer> ports = new LinkedHashSet<>();
        for (int tries = 0; tries < 1000 && ports.size() < count; tries++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                ports.add(socket.getLocalPort());
            } catch (BindException e) {
                // in use
            }
        }
        if (ports.size() < count) {
            throw new IOException("Fewer than " + count + " ports are free on the loopback interface");
        }
        return List.copyOf(ports);
    }
}
