package io.neli.sample.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.neli.sample.broker.BrokerConfiguration;
import io.neli.sample.broker.BrokerConfiguration.Listener;
import io.neli.sample.lab.process.Link;
import io.neli.sample.lab.process.Ports;

/** The ways to the broker: each instance has a listener and a link of its own; the first listener is for direct access. */
record Network(List<Listener> listeners, Map<String, Link> links, int controllerPort) {

    static Network open(List<String> instances) throws IOException {
        List<Integer> ports = Ports.free(instances.size() + 2);
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
}
