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
import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.harness.Routes;
import io.neli.harness.TemporaryDirectory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Apache Kafka's server in a process of its own, on the loopback interface: broker and controller in one, with the
 * settings that it comes with. One that is a cluster by itself has a listener to be used as usual, and some that are
 * each reached by way of a {@link Link}.
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
     * Starts one.
     *
     * @param change is handed its settings, and may change them
     * @param formatArguments more for {@code kafka-storage.sh format}
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

    /**
     * One of several brokers, not yet started.
     *
     * @param directory its own
     * @param address where the test finds it
     * @param logFile where it logs
     */
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

    /** Each time by way of that program, which becomes the broker. */
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

    /** Where clients find it that are to use the link. */
    String linkedAddress() {
        return link().address();
    }

    public Link link() {
        return link(0);
    }

    /** None of them if it is one of several brokers. */
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
        process =
                JavaProcess.startBy(launcher, logFile, "-Xmx384m", BrokerMain.class, arguments.toArray(String[]::new));
        process.read(line -> {});
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
        if (network != null) {
            network.close();
        }
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
