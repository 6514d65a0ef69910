package io.neli.sample.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.neli.sample.broker.BrokerListener;
import io.neli.sample.lab.process.Link;
import io.neli.sample.lab.process.Ports;

/**
 * Who reaches the broker how: each instance through a link of its own, as the broker has a listener for it that tells it to
 * come that way; the lab directly.
 */
final class Network implements AutoCloseable {

    private final List<BrokerListener> listeners = new ArrayList<>();
    private final Map<String, Link> links = new LinkedHashMap<>();
    private final int controllerPort;

    private Network(int controllerPort) {
        this.controllerPort = controllerPort;
    }

    static Network open(List<String> instances) throws IOException {
        List<Integer> ports = Ports.free(instances.size() + 2);
        Network network = new Network(ports.get(0));
        network.listeners.add(new BrokerListener("LAB", ports.get(1), ports.get(1)));
        try {
            for (int i = 0; i < instances.size(); i++) {
                network.connect(instances.get(i), ports.get(i + 2));
            }
        } catch (IOException e) {
            network.close();
            throw e;
        }
        return network;
    }

    private void connect(String instance, int port) throws IOException {
        Link link = Link.open(instance, port);
        links.put(instance, link);
        listeners.add(new BrokerListener(instance.toUpperCase(Locale.ROOT), port, link.port()));
    }

    List<BrokerListener> listeners() {
        return List.copyOf(listeners);
    }

    /** Where the lab itself finds the broker. */
    String directAddress() {
        return "127.0.0.1:" + listeners.get(0).port();
    }

    int controllerPort() {
        return controllerPort;
    }

    Map<String, Link> links() {
        return links;
    }

    @Override
    public void close() {
        links.values().forEach(Link::close);
    }
}
