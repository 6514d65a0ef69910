package io.neli.sample.lab;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.neli.sample.broker.BrokerConfiguration;
import io.neli.sample.broker.BrokerConfiguration.Listener;
import io.neli.sample.lab.process.Link;

/** The ways to the broker: each instance has a listener and a link of its own; the first listener is for direct access. */
record Network(List<Listener> listeners, Map<String, Link> links, int controllerPort) {

    static Network open(List<String> instances) throws IOException {
        List<Integer> ports = freePorts(instances.size() + 2);
        List<Listener> listeners = new ArrayList<>();
        Map<String, Link> links = new LinkedHashMap<>();
        listeners.add(new Listener("DIRECT", ports.get(1), ports.get(1)));
        for (String instance : instances) {
            int port = ports.get(listeners.size() + 1);
            Link link = Link.open(instance, port);
            links.put(instance, link);
            listeners.add(new Listener(instance.toUpperCase(Locale.ROOT), port, link.port()));
        }
        return new Network(listeners, links, ports.get(0));
    }

    String address() {
        return "127.0.0.1:" + listeners.get(0).port();
    }

    void configureBroker(Path file) throws IOException {
        BrokerConfiguration.write(file, listeners, controllerPort);
    }

    void close() {
        links.values().forEach(Link::close);
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
