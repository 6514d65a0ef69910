package io.neli.harness;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The {@code server.properties} of the brokers of a cluster. Each broker is also a controller. */
public final class BrokerConfiguration {

    private static final String HOST = "127.0.0.1:";

    /** Settings of topics that have a replica on every broker. */
    private static final List<String> REPLICATED =
            List.of("default", "offsets.topic", "transaction.state.log", "share.coordinator.state.topic");

    /** Topics that need a majority of in-sync replicas. */
    private static final List<String> MAJORITY = List.of("transaction.state.log", "share.coordinator.state.topic");

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
     * A broker.
     *
     * @param listeners the other brokers use the first one too
     * @param controllerPort not used by clients
     */
    public record Node(int id, List<Listener> listeners, int controllerPort) {

        /** The address of the first listener, for clients. */
        public String address() {
            return HOST + listeners.get(0).port();
        }

        private String controller() {
            return HOST + controllerPort;
        }
    }

    /**
     * The settings that a broker of a cluster needs. Everything else is Kafka's default.
     *
     * @param directory where its data are stored
     * @param cluster all brokers, including this one
     */
    public static Properties of(Path directory, Node broker, List<Node> cluster) {
        Properties settings = new Properties();
        List<Listener> listeners = broker.listeners();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", Integer.toString(broker.id()));
        settings.setProperty("log.dirs", directory.resolve("logs").toString());
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty("controller.quorum.voters", join(cluster, each -> each.id() + "@" + each.controller()));
        String replicas = Integer.toString(cluster.size());
        REPLICATED.forEach(each -> settings.setProperty(each + ".replication.factor", replicas));
        String majority = Integer.toString(cluster.size() / 2 + 1);
        MAJORITY.forEach(each -> settings.setProperty(each + ".min.isr", majority));
        settings.setProperty("inter.broker.listener.name", listeners.get(0).name());
        settings.setProperty(
                "listeners",
                join(listeners, each -> each.name() + "://" + HOST + each.port()) + ",CONTROLLER://"
                        + broker.controller());
        settings.setProperty(
                "advertised.listeners", join(listeners, each -> each.name() + "://" + HOST + each.advertisedPort()));
        settings.setProperty(
                "listener.security.protocol.map",
                join(listeners, each -> each.name() + ":PLAINTEXT") + ",CONTROLLER:PLAINTEXT");
        return settings;
    }

    /** Writes a broker's file into its directory, and returns its path. */
    public static Path write(Path directory, Properties settings) throws IOException {
        Path file = Files.createDirectories(directory).resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        return file;
    }

    private static <T> String join(List<T> list, Function<T, String> part) {
        return list.stream().map(part).collect(Collectors.joining(","));
    }
}
