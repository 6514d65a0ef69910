package io.neli.cluster.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Link;
import io.neli.cluster.Network;
import org.apache.kafka.common.Uuid;

/**
 * Three brokers in processes of their own, each a controller too. Each has a listener per member, which that member reaches by
 * way of a {@link Link} of its own.
 */
public final class BrokerCluster implements AutoCloseable {

    public static final List<Integer> IDS = List.of(1, 2, 3);

    private static final String HOST = "127.0.0.1";

    private final Network network = new Network();
    private final Path directory;
    private final Map<Integer, BrokerProcess> brokers = new TreeMap<>();
    private final Map<Integer, SmallDisk> disks = new TreeMap<>();
    private final Map<String, Map<Integer, Link>> links = new TreeMap<>();

    private BrokerCluster(Path directory) {
        this.directory = directory;
    }

    /**
     * Starts them.
     *
     * @param members who has routes of its own
     * @param more settings of the brokers
     */
    public static BrokerCluster start(List<String> members, Map<String, String> more) {
        try {
            BrokerCluster cluster = new BrokerCluster(BrokerProcess.temporaryDirectory());
            cluster.prepare(members, more);
            cluster.brokers.values().forEach(BrokerProcess::launch);
            cluster.brokers.values().forEach(BrokerProcess::awaitAnswer);
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void prepare(List<String> members, Map<String, String> more) throws IOException {
        Uuid id = Uuid.randomUuid();
        Map<Integer, Integer> controllers =
                IDS.stream().collect(Collectors.toMap(broker -> broker, broker -> BrokerProcess.freePort()));
        for (int broker : IDS) {
            Path own = Files.createDirectory(directory.resolve("broker-" + broker));
            disks.put(broker, SmallDisk.at(own));
            int port = BrokerProcess.freePort();
            Map<String, Integer> ports = new TreeMap<>();
            for (String member : members) {
                ports.put(member, BrokerProcess.freePort());
                links.computeIfAbsent(member, name -> new TreeMap<>()).put(broker, network.link(ports.get(member)));
            }
            Properties settings = settings(broker, own, controllers);
            addListeners(settings, port, controllers.get(broker), ports, broker);
            settings.putAll(more);
            brokers.put(broker, BrokerProcess.ofCluster(id, own, port, settings, "faults-broker-" + broker + ".log"));
        }
    }

    private static Properties settings(int broker, Path directory, Map<Integer, Integer> controllers) {
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", Integer.toString(broker));
        settings.setProperty(
                "controller.quorum.voters",
                controllers.entrySet().stream()
                        .map(controller -> controller.getKey() + "@" + HOST + ":" + controller.getValue())
                        .collect(Collectors.joining(",")));
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty("inter.broker.listener.name", "INTERNAL");
        settings.setProperty("log.dirs", directory.resolve("logs").toString());
        // As a cluster of three is run: nothing is created by accident, and everything has three replicas.
        settings.setProperty("auto.create.topics.enable", "false");
        settings.setProperty("default.replication.factor", "3");
        settings.setProperty("min.insync.replicas", "2");
        // They are to start quickly and to fit on one machine.
        settings.setProperty("offsets.topic.num.partitions", "3");
        settings.setProperty("log.cleaner.dedupe.buffer.size", "8388608");
        settings.setProperty("num.network.threads", "2");
        settings.setProperty("num.io.threads", "4");
        return settings;
    }

    private void addListeners(
            Properties settings, int port, int controllerPort, Map<String, Integer> ports, int broker) {
        List<String> listeners = new ArrayList<>(
                List.of("INTERNAL://" + HOST + ":" + port, "CONTROLLER://" + HOST + ":" + controllerPort));
        List<String> advertised = new ArrayList<>(List.of("INTERNAL://" + HOST + ":" + port));
        List<String> protocols = new ArrayList<>(List.of("INTERNAL:PLAINTEXT", "CONTROLLER:PLAINTEXT"));
        ports.forEach((member, memberPort) -> {
            String name = "MEMBER_" + member.toUpperCase(Locale.ROOT);
            listeners.add(name + "://" + HOST + ":" + memberPort);
            advertised.add(name + "://" + link(member, broker).address());
            protocols.add(name + ":PLAINTEXT");
        });
        settings.setProperty("listeners", String.join(",", listeners));
        settings.setProperty("advertised.listeners", String.join(",", advertised));
        settings.setProperty("listener.security.protocol.map", String.join(",", protocols));
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
        return links.get(member).values().stream().map(Link::address).collect(Collectors.joining(","));
    }

    public BrokerProcess broker(int id) {
        return brokers.get(id);
    }

    SmallDisk disk(int id) {
        return disks.get(id);
    }

    public Link link(String member, int broker) {
        return links.get(member).get(broker);
    }

    /** All of a member. */
    public List<Link> links(String member) {
        return List.copyOf(links.get(member).values());
    }

    /** All to a broker. */
    public List<Link> linksTo(int broker) {
        return links.values().stream().map(own -> own.get(broker)).toList();
    }

    /** All brokers run and all links pass; returns when each broker answers. */
    public void heal() {
        links.values().forEach(own -> own.values().forEach(Link::pass));
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
