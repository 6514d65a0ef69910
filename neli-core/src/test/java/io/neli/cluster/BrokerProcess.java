package io.neli.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Apache Kafka's server in a process of its own, on the loopback interface: broker and controller in one, with the settings
 * that it comes with. One that is a cluster by itself has two listeners: one to be used as usual, and one that is reached by way
 * of a {@link Link}.
 */
public final class BrokerProcess implements ServerProcess {

    private static final String HOST = "127.0.0.1";
    private static final Set<Integer> GIVEN_PORTS = ConcurrentHashMap.newKeySet();
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final Path directory;
    private final int port;
    private final String logFile;
    private final Network network = new Network();
    private @Nullable Link link;
    private @Nullable JavaProcess process;
    private boolean stopped;

    private BrokerProcess(Path directory, int port, String logFile) {
        this.directory = directory;
        this.port = port;
        this.logFile = logFile;
    }

    static BrokerProcess start() {
        return start(settings -> {});
    }

    /**
     * Starts one with other settings.
     *
     * @param change is handed its settings
     * @param formatArguments more for {@code kafka-storage.sh format}
     */
    public static BrokerProcess start(Consumer<Properties> change, String... formatArguments) {
        try {
            Path directory = temporaryDirectory();
            int port = freePort();
            int linkedPort = freePort();
            BrokerProcess broker = new BrokerProcess(directory, port, "broker.log");
            broker.link = broker.network.link(linkedPort);
            Properties settings = broker.settings(linkedPort, freePort());
            change.accept(settings);
            format(directory, Uuid.randomUuid(), settings, formatArguments);
            broker.restart();
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One of several brokers, not yet started.
     *
     * @param directory its own
     * @param port where the test finds it
     * @param logFile where it logs
     */
    public static BrokerProcess ofCluster(Uuid cluster, Path directory, int port, Properties settings, String logFile) {
        try {
            format(directory, cluster, settings);
            return new BrokerProcess(directory, port, logFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In memory where that is possible: a disk that stalls would be what is tested. */
    public static Path temporaryDirectory() throws IOException {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "neli-broker")
                : Files.createTempDirectory("neli-broker");
    }

    /**
     * A port below those that the kernel gives to outgoing connections: clients that look for a broker that is down might
     * get its port otherwise, even as both ends of one connection.
     */
    public static int freePort() {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            if (!GIVEN_PORTS.add(port)) {
                continue; // perhaps not in use yet
            }
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // in use
            }
        }
        throw new IllegalStateException("no free port");
    }

    private Properties settings(int linkedPort, int controllerPort) {
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", "1");
        settings.setProperty("controller.quorum.voters", "1@" + HOST + ":" + controllerPort);
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty("inter.broker.listener.name", "PLAINTEXT");
        settings.setProperty(
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.setProperty(
                "listeners",
                "PLAINTEXT://" + HOST + ":" + port + ",PROXIED://" + HOST + ":" + linkedPort + ",CONTROLLER://" + HOST
                        + ":" + controllerPort);
        settings.setProperty(
                "advertised.listeners", "PLAINTEXT://" + HOST + ":" + port + ",PROXIED://" + linkedAddress());
        settings.setProperty("log.dirs", directory.resolve("logs").toString());
        // What one broker needs to be a cluster.
        settings.setProperty("offsets.topic.replication.factor", "1");
        settings.setProperty("transaction.state.log.replication.factor", "1");
        settings.setProperty("transaction.state.log.min.isr", "1");
        settings.setProperty("share.coordinator.state.topic.replication.factor", "1");
        settings.setProperty("share.coordinator.state.topic.min.isr", "1");
        return settings;
    }

    private static void format(Path directory, Uuid cluster, Properties settings, String... more) throws IOException {
        Path file = directory.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        List<String> command =
                new ArrayList<>(List.of("format", "--cluster-id", cluster.toString(), "--config", file.toString()));
        command.addAll(List.of(more));
        Path log = JavaProcess.logDirectory().resolve("format.log");
        try (PrintStream out = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
            if (StorageTool.execute(command.toArray(String[]::new), out) != 0) {
                throw new IOException("cannot format " + directory + ", see " + log);
            }
        }
    }

    @Override
    public String address() {
        return HOST + ":" + port;
    }

    /** Where clients find it that are to use the link. */
    String linkedAddress() {
        return link().address();
    }

    Link link() {
        return Objects.requireNonNull(link, "one of several brokers");
    }

    @Override
    public Path directory() {
        return directory;
    }

    private JavaProcess process() {
        return Objects.requireNonNull(process, "not started");
    }

    @Override
    public void stop() {
        process().stop();
        stopped = true;
    }

    @Override
    public void resume() {
        process().resume();
        stopped = false;
    }

    public boolean isStopped() {
        return stopped;
    }

    public boolean isAlive() {
        return process().isAlive();
    }

    public long pid() {
        return process().pid();
    }

    /** SIGTERM. */
    public void askToEnd() {
        process().terminate();
    }

    @Override
    public void terminate() {
        askToEnd();
        process().awaitEnd(START_LIMIT);
    }

    /** Whether it has ended, or does so in that time. */
    public boolean endsWithin(Duration limit) {
        return process().endsWithin(limit);
    }

    @Override
    public void kill() {
        process().destroy();
        process().awaitEnd(START_LIMIT);
        stopped = false;
    }

    @Override
    public void restart() {
        launch();
        awaitAnswer();
    }

    /** Starts it on the data that it has, and returns at once. */
    public void launch() {
        process = JavaProcess.start(
                logFile,
                "-Xmx384m",
                BrokerMain.class,
                directory.resolve("server.properties").toString());
        new OutputReader(process, line -> {}).start();
    }

    public void awaitAnswer() {
        Await.until("the broker answers", START_LIMIT, this::answers);
    }

    private boolean answers() throws InterruptedException {
        if (!process().isAlive()) {
            throw new AssertionError("the broker has ended, see " + JavaProcess.logDirectory());
        }
        try (Admin admin = Admin.create(
                Map.of("bootstrap.servers", address(), "default.api.timeout.ms", 2000, "request.timeout.ms", 1000))) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** Ends it, and deletes what it has written. */
    @Override
    public void close() {
        network.close();
        try {
            if (process != null) {
                process.destroy();
                process.awaitEnd(START_LIMIT); // it must not write into what is deleted
            }
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
