package io.neli.sample.broker;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A broker's {@code server.properties}: Kafka's defaults, except for what a cluster of one small broker needs. */
public final class BrokerConfiguration {

    private static final String HOST = "127.0.0.1";
    private static final String CONTROLLER = "CONTROLLER";

    private BrokerConfiguration() {}

    /**
     * A listener on the loopback interface.
     *
     * @param name in capitals
     * @param port where the broker listens
     * @param advertisedPort the port that the broker tells its clients to connect to
     */
    public record Listener(String name, int port, int advertisedPort) {}

    /**
     * Writes the file; the broker's data goes next to it.
     *
     * @param listeners the first one is also the broker's own
     * @param controllerPort used by the broker only
     */
    public static void write(Path file, List<Listener> listeners, int controllerPort) throws IOException {
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", "1");
        settings.setProperty("log.dirs", file.resolveSibling("logs").toString());
        String controller = HOST + ":" + controllerPort;
        settings.setProperty("controller.quorum.voters", "1@" + controller);
        settings.setProperty("controller.listener.names", CONTROLLER);
        settings.setProperty("inter.broker.listener.name", listeners.get(0).name());
        settings.setProperty(
                "listeners",
                join(listeners, each -> each.name() + "://" + HOST + ":" + each.port()) + "," + CONTROLLER + "://"
                        + controller);
        settings.setProperty(
                "advertised.listeners",
                join(listeners, each -> each.name() + "://" + HOST + ":" + each.advertisedPort()));
        settings.setProperty(
                "listener.security.protocol.map",
                join(listeners, each -> each.name() + ":PLAINTEXT") + "," + CONTROLLER + ":PLAINTEXT");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            settings.setProperty(topic + ".replication.factor", "1");
            settings.setProperty(topic + ".num.partitions", "1"); // enough for few clients, and it starts faster
        }
        settings.setProperty("transaction.state.log.min.isr", "1");
        settings.setProperty("share.coordinator.state.topic.min.isr", "1");
        settings.setProperty("log.cleaner.dedupe.buffer.size", "2097152"); // heap; the default is 128 MiB
        // A broker that was killed is accepted again only after its former registration has expired.
        settings.setProperty("broker.session.timeout.ms", "3000");
        settings.setProperty("broker.heartbeat.interval.ms", "500");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
    }

    private static String join(List<Listener> listeners, Function<Listener, String> part) {
        return listeners.stream().map(part).collect(Collectors.joining(","));
    }
}
