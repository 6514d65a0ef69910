package io.neli.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.neli.cluster.BrokerProcess;
import io.neli.harness.BrokerConfiguration;
import io.neli.harness.BrokerConfiguration.Node;
import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.harness.Routes;
import io.neli.harness.TemporaryDirectory;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Three brokers in separate processes, each also a controller; or four that a {@link Firewall} can separate, of which
 * only the last is a controller. Each has a listener per member, which that member reaches through its own {@link
 * Link}.
 */
public final class BrokerCluster implements AutoCloseable {

    private static final int THREE = 3;
    private static final int FOUR = 4;

    private final Network network = new Network();
    private final Path directory;
    private final Map<Integer, BrokerProcess> brokers = new TreeMap<>();
    private final Map<Integer, SmallDisk> disks = new TreeMap<>();
    private final Routes routes;
    private final @Nullable Firewall firewall;

    private BrokerCluster(Path directory, List<String> members, @Nullable Firewall firewall) {
        this.directory = directory;
        this.firewall = firewall;
        this.routes = Routes.open(network, firewall == null ? THREE : FOUR, members);
    }

    /**
     * Starts three brokers.
     *
     * @param members who have their own routes
     * @param more settings of the brokers
     */
    public static BrokerCluster start(List<String> members, Map<String, String> more) {
        return start(members, more, null);
    }

    /** Starts four brokers that can be separated. */
    static BrokerCluster startSplittable(List<String> members, Map<String, String> more) {
        return start(members, more, Firewall.open());
    }

    private static BrokerCluster start(List<String> members, Map<String, String> more, @Nullable Firewall firewall) {
        try {
            BrokerCluster cluster = new BrokerCluster(TemporaryDirectory.create("neli-brokers"), members, firewall);
            cluster.prepare(more);
            cluster.brokers.values().forEach(BrokerProcess::launch);
            cluster.brokers.values().forEach(BrokerProcess::awaitAnswer);
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void prepare(Map<String, String> more) throws IOException {
        Uuid cluster = Uuid.randomUuid();
        for (Node node : routes.brokers()) {
            Path own = Files.createDirectory(directory.resolve("broker-" + node.id()));
            disks.put(node.id(), SmallDisk.at(own));
            Properties settings = BrokerConfiguration.of(own, node, routes.brokers());
            // As in a production cluster of three: nothing is created by accident.
            settings.setProperty("auto.create.topics.enable", "false");
            settings.setProperty("min.insync.replicas", "2");
            // Makes brokers start quickly and fit on one machine.
            settings.setProperty("offsets.topic.num.partitions", "3");
            settings.setProperty("log.cleaner.dedupe.buffer.size", "8388608");
            settings.setProperty("num.network.threads", "2");
            settings.setProperty("num.io.threads", "4");
            if (firewall != null) {
                haveOneController(node, settings);
            }
            settings.putAll(more);
            String log = "faults-broker-" + node.id() + ".log";
            BrokerProcess broker = BrokerProcess.ofCluster(cluster, own, node.address(), settings, log);
            brokers.put(node.id(), firewall == null ? broker : broker.startedBy(firewall.launcher(node.id())));
        }
    }

    /** Only one broker is a controller, because a broker that is one cannot be cut off from all of them. */
    private void haveOneController(Node node, Properties settings) {
        Node controller = node(FOUR);
        String address = "127.0.0.1:" + controller.controllerPort();
        settings.setProperty("controller.quorum.voters", controller.id() + "@" + address);
        if (!node.equals(controller)) {
            settings.setProperty("process.roles", "broker");
            settings.setProperty("listeners", settings.getProperty("listeners").replaceFirst(",CONTROLLER:.*", ""));
        }
    }

    public List<Integer> ids() {
        return routes.brokers().stream().map(Node::id).toList();
    }

    private Node node(int id) {
        return routes.brokers().get(id - 1);
    }

    /** The directory for what the members share. */
    public Path directory() {
        return directory;
    }

    /** The addresses of these brokers for the test. */
    String addresses(Collection<Integer> ids) {
        return ids.stream().map(id -> broker(id).address()).collect(Collectors.joining(","));
    }

    /** The addresses of the brokers for a member. */
    public String addressesOf(String member) {
        return routes.bootstrapServers(member);
    }

    public BrokerProcess broker(int id) {
        return brokers.get(id);
    }

    SmallDisk disk(int id) {
        return disks.get(id);
    }

    public Link link(String member, int broker) {
        return links(member).get(broker - 1);
    }

    /** All links of a member. */
    public List<Link> links(String member) {
        return routes.links().get(member);
    }

    /** All links to a broker. */
    public List<Link> linksTo(int broker) {
        return routes.links().values().stream().map(own -> own.get(broker - 1)).toList();
    }

    /** Separates these brokers from the others and from the controller. Members still reach all of them. */
    void splitOff(Collection<Integer> some) {
        Firewall used = Objects.requireNonNull(firewall, "three brokers cannot be separated");
        for (int one : some) {
            for (int other : ids()) {
                if (!some.contains(other)) {
                    used.cut(one, node(other).controllerPort());
                    used.cut(one, directPort(other));
                    used.cut(other, directPort(one));
                }
            }
        }
    }

    /** Separates all brokers from each other, but not from the controller. */
    void splitAll() {
        Firewall used = Objects.requireNonNull(firewall, "three brokers cannot be separated");
        for (int one : ids()) {
            ids().stream().filter(other -> other != one).forEach(other -> used.cut(one, directPort(other)));
        }
    }

    private int directPort(int id) {
        return node(id).listeners().get(0).port();
    }

    /** Lets all brokers reach each other again. */
    void join() {
        if (firewall != null) {
            firewall.pass();
        }
    }

    /** Makes all brokers run and all links pass. Returns when each broker answers. */
    public void heal() {
        routes.links().values().forEach(own -> own.forEach(Link::pass));
        disks.values().forEach(SmallDisk::free);
        join();
        for (BrokerProcess broker : brokers.values()) {
            if (broker.isStopped()) {
                broker.resume();
            }
            if (!broker.isAlive()) {
                broker.launch();
            }
        }
        brokers.values().forEach(BrokerProcess::awaitAnswer);
    }

    @Override
    public void close() {
        network.close();
        brokers.values().forEach(BrokerProcess::kill);
        disks.values().forEach(SmallDisk::close);
        brokers.values().forEach(BrokerProcess::close);
        if (firewall != null) {
            firewall.close();
        }
        try {
            org.springframework.util.FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
