package io.neli.sample.lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import io.neli.harness.BrokerConfiguration;
import io.neli.harness.BrokerConfiguration.Listener;
import io.neli.harness.BrokerConfiguration.Node;
import io.neli.harness.BrokerMain;
import io.neli.harness.Network;
import io.neli.harness.TemporaryDirectory;
import org.apache.kafka.common.Uuid;

/** A small broker. {@code --broker} runs it in this process; the lab runs each of its brokers in a separate one. */
public final class SmallBroker {

    private SmallBroker() {}

    /**
     * Runs a broker until the process is stopped, then deletes its data.
     *
     * @param port where clients connect, on this machine only
     * @throws IllegalArgumentException if the port is in use, with a message for the user
     */
    public static void run(int port) throws IOException {
        // Set before anything logs. Only errors are logged; what the user wants to know is printed below.
        System.setProperty("logback.configurationFile", "logback-broker.xml");
        System.setProperty("broker.log", "ERROR");
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        } catch (BindException e) {
            throw new IllegalArgumentException(
                    "Port " + port + " is in use, perhaps by a broker that will do. For another one: --broker="
                            + (port + 1) + ", and spring.kafka.bootstrap-servers: localhost:" + (port + 1),
                    e);
        }
        Path directory = TemporaryDirectory.create("neli-lab-");
        CleanupProcess.start(directory);
        Node node = new Node(1, List.of(new Listener("CLIENTS", port, port)), Network.freePort());
        Path file = configure(directory.resolve("broker"), node, List.of(node));
        BrokerMain.run(
                file,
                List.of(Uuid.randomUuid().toString()),
                () -> System.out.printf("Kafka is at localhost:%d. Ctrl-C stops it and deletes its data.%n", port));
    }

    /** Writes the configuration of a broker into its directory, and returns the file. */
    static Path configure(Path directory, Node broker, List<Node> cluster) throws IOException {
        Properties configuration = BrokerConfiguration.of(directory, broker, cluster);
        try (InputStream small = SmallBroker.class.getClassLoader().getResourceAsStream("broker.properties")) {
            configuration.load(small);
        }
        return BrokerConfiguration.write(directory, configuration);
    }
}
