package io.neli.sample.broker;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A broker's {@code server.properties}: as Kafka comes, but for what one broker needs to be a cluster, and for its size. */
public final class BrokerConfiguration {

    private static final String CONTROLLER = "CONTROLLER";

    private BrokerConfiguration() {}

    /**
     * Writes the file, for a store beside it.
     *
     * @param listeners the ways to it; the first one is its own
     * @param controllerPort another port for it alone
     */
    public static void write(Path file, List<BrokerListener> listeners, int controllerPort) throws IOException {
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", "1");
        settings.setProperty("log.dirs", file.resolveSibling("logs").toString());

        String controller = BrokerListener.HOST + ":" + controllerPort;
        settings.setProperty("controller.quorum.voters", "1@" + controller);
        settings.setProperty("controller.listener.names", CONTROLLER);
        settings.setProperty("inter.broker.listener.name", listeners.get(0).name());
        settings.setProperty(
                "listeners", join(listeners, BrokerListener::listens) + "," + CONTROLLER + "://" + controller);
        settings.setProperty("advertised.listeners", join(listeners, BrokerListener::advertises));
        settings.setProperty(
                "listener.security.protocol.map",
                join(listeners, listener -> listener.name() + ":PLAINTEXT") + "," + CONTROLLER + ":PLAINTEXT");

        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            settings.setProperty(topic + ".replication.factor", "1");
            settings.setProperty(topic + ".num.partitions", "1"); // few clients; it is up sooner
        }
        settings.setProperty("transaction.state.log.min.isr", "1");
        settings.setProperty("share.coordinator.state.topic.min.isr", "1");
        settings.setProperty("log.cleaner.dedupe.buffer.size", "2097152"); // of the heap; comes with 128 MiB
        // One that was killed comes back only when its former registration is over.
        settings.setProperty("broker.session.timeout.ms", "3000");
        settings.setProperty("broker.heartbeat.interval.ms", "500");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
    }

    private static String join(List<BrokerListener> listeners, Function<BrokerListener, String> part) {
        return listeners.stream().map(part).collect(Collectors.joining(","));
    }
}
