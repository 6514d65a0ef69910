package io.neli.sample.broker;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** Apache Kafka's server: broker and controller in one (KRaft), on the loopback interface. */
final class Broker {

    private static final String HOST = "127.0.0.1";

    private final String address;
    private final KafkaRaftServer server;

    private Broker(String address, KafkaRaftServer server) {
        this.address = address;
        this.server = server;
    }

    /**
     * A broker with an empty store.
     *
     * @param data a directory for it alone
     * @param preferredAddress where to listen if that is possible; may be empty
     */
    static Broker format(Path data, String preferredAddress) throws IOException {
        Properties settings = new Properties();
        int port;
        // Both at once, or they might be the same.
        try (ServerSocket broker = bind(preferredAddress);
                ServerSocket controller = bindAny()) {
            port = broker.getLocalPort();
            settings.putAll(settings(data, port, controller.getLocalPort()));
        }
        Path file = data.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        String[] format = {"format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString()};
        if (StorageTool.execute(format, System.out) != 0) {
            throw new IOException("Cannot format " + data);
        }
        return new Broker(HOST + ":" + port, new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM));
    }

    /** As Kafka comes, but for what one broker needs to be a cluster. */
    private static Properties settings(Path data, int brokerPort, int controllerPort) {
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", "1");
        settings.setProperty("controller.quorum.voters", "1@" + HOST + ":" + controllerPort);
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty(
                "listeners", "PLAINTEXT://" + HOST + ":" + brokerPort + ",CONTROLLER://" + HOST + ":" + controllerPort);
        settings.setProperty("log.dirs", data.resolve("logs").toString());
        settings.setProperty("offsets.topic.replication.factor", "1");
        settings.setProperty("transaction.state.log.replication.factor", "1");
        settings.setProperty("transaction.state.log.min.isr", "1");
        settings.setProperty("share.coordinator.state.topic.replication.factor", "1");
        settings.setProperty("share.coordinator.state.topic.min.isr", "1");
        return settings;
    }

    private static ServerSocket bind(String preferredAddress) throws IOException {
        if (preferredAddress.startsWith(HOST + ":")) {
            try {
                return new ServerSocket(
                        Integer.parseInt(preferredAddress.substring(HOST.length() + 1)),
                        0,
                        InetAddress.getLoopbackAddress());
            } catch (IOException | IllegalArgumentException e) {
                // in use by now, or no port at all
            }
        }
        return bindAny();
    }

    private static ServerSocket bindAny() throws IOException {
        return new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    String address() {
        return address;
    }

    /** Returns when clients can connect. */
    void start() {
        server.startup();
    }

    void stop() {
        server.shutdown();
    }

    void awaitStop() {
        server.awaitShutdown();
    }
}
