package io.neli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

import io.neli.harness.BrokerConfiguration;
import io.neli.harness.BrokerConfiguration.Node;
import io.neli.harness.BrokerMain;
import io.neli.harness.ChildProcess;
import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.harness.Routes;
import io.neli.harness.TemporaryDirectory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Apache Kafka's server in a separate process on the loopback interface: broker and controller in one, with default
 * settings. A single-broker cluster has one listener for normal use, and others that are each reached through a {@link
 * Link}.
 */
public final class BrokerProcess implements ServerProcess {

    private static final List<String> LINKED = List.of("linked0", "linked1", "linked2");
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final Path directory;
    private final String address;
    private final String logFile;
    private final @Nullable Network network;
    private final List<Link> links;
    private final List<String> arguments = new ArrayList<>();
    private List<String> launcher = List.of();
    private @Nullable JavaProcess process;
    private boolean stopped;

    private BrokerProcess(Path directory, String address, String logFile, @Nullable Network network, List<Link> links) {
        this.directory = directory;
        this.address = address;
        this.logFile = logFile;
        this.network = network;
        this.links = links;
    }

    /**
     * Starts a broker.
     *
     * @param change receives its settings and may change them
     * @param formatArguments further arguments of {@code kafka-storage.sh format}
     */
    public static BrokerProcess start(Consumer<Properties> change, String... formatArguments) {
        try {
            Path directory = TemporaryDirectory.create("neli-broker");
            Network network = new Network();
            Routes routes = Routes.open(network, 1, LINKED);
            Node node = routes.brokers().get(0);
            List<Link> links =
                    LINKED.stream().map(name -> routes.links().get(name).get(0)).toList();
            BrokerProcess broker = new BrokerProcess(directory, node.address(), "broker.log", network, links);
            Properties settings = BrokerConfiguration.of(directory, node, List.of(node));
            change.accept(settings);
            broker.configure(settings, Uuid.randomUuid(), formatArguments);
            broker.restart();
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates one of several brokers, with its own directory and its address for the test, without starting it. */
    public static BrokerProcess ofCluster(
            Uuid cluster, Path directory, String address, Properties settings, String logFile) {
        try {
            BrokerProcess broker = new BrokerProcess(directory, address, logFile, null, List.of());
            broker.configure(settings, cluster);
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the broker through this program, which becomes the broker, each time. */
    public BrokerProcess startedBy(List<String> command) {
        launcher = command;
        return this;
    }

    private void configure(Properties settings, Uuid cluster, String... formatArguments) throws IOException {
        arguments.add(BrokerConfiguration.write(directory, settings).toString());
        arguments.add(cluster.toString());
        arguments.addAll(List.of(formatArguments));
    }

    @Override
    public String address() {
        return address;
    }

    /** A link to this broker. One of several brokers has none. */
    public Link link(int number) {
        return links.get(number);
    }

    @Override
    public Path directory() {
        return directory;
    }

    private JavaProcess process() {
        return Objects.requireNonNull(process, "not started");
    }

    /** Sends SIGSTOP. */
    public void stop() {
        process().stop();
        stopped = true;
    }

    /** Sends SIGCONT. */
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

    /** Sends SIGTERM. */
    public void askToEnd() {
        process().terminate();
    }

    @Override
    public void terminate() {
        askToEnd();
        process().awaitEnd(START_LIMIT);
    }

    /** Whether it ends within the limit, or has ended already. */
    public boolean endsWithin(Duration limit) {
        return process().endsWithin(limit);
    }

    /** Sends SIGKILL. Returns when the broker has ended. */
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

    /** Starts it on its existing data, and returns immediately. */
    public void launch() {
        process = JavaProcess.start(
                launcher,
                logFile,
                Map.of(),
                JavaProcess.quick("-Xmx384m"),
                BrokerMain.class,
                arguments.toArray(String[]::new));
        process.read(line -> {});
    }

    public void awaitAnswer() {
        awaitAnswer(process(), address());
    }

    /** Waits until the broker in this process answers at this address. */
    public static void awaitAnswer(ChildProcess process, String address) {
        Await.until("the broker answers", START_LIMIT, () -> answers(process, address));
    }

    private static boolean answers(ChildProcess process, String address) throws InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("the broker has ended, see " + JavaProcess.logDirectory());
        }
        try (Admin admin = Admin.create(
                Map.of("bootstrap.servers", address, "default.api.timeout.ms", 2000, "request.timeout.ms", 1000))) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** Ends the broker, and deletes its files. */
    @Override
    public void close() {
        if (network != null) {
            network.close();
        }
        try {
            if (process != null) {
                process.destroy();
                process.awaitEnd(START_LIMIT); // it must not write into the directory during the deletion
            }
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
