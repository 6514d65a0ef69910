package io.neli.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

/**
 * Three brokers in processes of their own, each a controller too. Each has a listener per member, which that member reaches by
 * way of a {@link Link} of its own.
 */
public final class BrokerCluster implements AutoCloseable {

    public static final List<Integer> IDS = List.of(1, 2, 3);

    private final Network network = new Network();
    private final Path directory;
    private final Map<Integer, BrokerProcess> brokers = new TreeMap<>();
    private final Map<Integer, SmallDisk> disks = new TreeMap<>();
    private final Routes routes;

    private BrokerCluster(Path directory, List<String> members) {
        this.directory = directory;
        this.routes = Routes.open(network, IDS.size(), members);
    }

    /**
     * Starts them.
     *
     * @param members who has routes of its own
     * @param more settings of the brokers
     */
    public static BrokerCluster start(List<String> members, Map<String, String> more) {
        try {
            BrokerCluster cluster = new BrokerCluster(TemporaryDirectory.create("neli-brokers"), members);
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
            // As a cluster of three is run: nothing is created by accident.
            settings.setProperty("auto.create.topics.enable", "false");
            settings.setProperty("min.insync.replicas", "2");
            // They are to start quickly and to fit on one machine.
            settings.setProperty("offsets.topic.num.partitions", "3");
            settings.setProperty("log.cleaner.dedupe.buffer.size", "8388608");
            settings.setProperty("num.network.threads", "2");
            settings.setProperty("num.io.threads", "4");
            settings.putAll(more);
            String log = "faults-broker-" + node.id() + ".log";
            brokers.put(node.id(), BrokerProcess.ofCluster(cluster, own, node.address(), settings, log));
        }
    }

    /** For what the members share. */
    public Path directory() {
        return directory;
    }

    /** Where the test finds them. */
    public String addresses() {
        return brokers.values().stream().map(BrokerProcess::address).collect(Collectors.joining(","));
    }

    /** Where a member finds them. */
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

    /** All of a member. */
    public List<Link> links(String member) {
        return routes.links().get(member);
    }

    /** All to a broker. */
    public List<Link> linksTo(int broker) {
        return routes.links().values().stream().map(own -> own.get(broker - 1)).toList();
    }

    /** All brokers run and all links pass; returns when each broker answers. */
    public void heal() {
        routes.links().values().forEach(own -> own.forEach(Link::pass));
        disks.values().forEach(SmallDisk::free);
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
        try {
            org.springframework.util.FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
