package io.neli.nats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.Replica;
import io.nats.client.api.StreamInfo;
import io.neli.cluster.Await;
import io.neli.harness.Network;

/** A cluster of several NATS servers. */
public final class NatsCluster implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern LEADER = Pattern.compile("\"meta_cluster\":\\s*\\{[^}]*\"leader\":\\s*\"([^\"]+)\"");

    /** By their names. */
    private final Map<String, NatsServer> servers = new LinkedHashMap<>();

    private final Map<String, URI> monitors = new LinkedHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private NatsCluster() {}

    public static NatsCluster start(int size) {
        NatsCluster cluster = new NatsCluster();
        List<Integer> ports = Stream.generate(Network::freePort).limit(size).toList();
        String routes =
                ports.stream().map(port -> "nats://" + HOST + ":" + port).collect(Collectors.joining(","));
        try {
            for (int port : ports) {
                cluster.start("server-" + port, "nats://" + HOST + ":" + port, routes);
            }
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private void start(String name, String route, String routes) {
        int monitor = Network.freePort();
        monitors.put(name, URI.create("http://" + HOST + ":" + monitor + "/jsz"));
        servers.put(
                name,
                NatsServer.start(
                        "--server_name",
                        name,
                        "--cluster_name",
                        "cluster",
                        "--cluster",
                        route,
                        "--routes",
                        routes,
                        "-m",
                        Integer.toString(monitor)));
    }

    /** The servers' addresses for clients. */
    public String urls() {
        return servers.values().stream().map(NatsServer::url).collect(Collectors.joining(","));
    }

    public List<String> names() {
        return List.copyOf(servers.keySet());
    }

    public NatsServer server(String name) {
        return Objects.requireNonNull(servers.get(name), name);
    }

    /** The server that leads the others, and places streams and consumers; empty during an election. */
    public Optional<String> leader() {
        for (String name : names()) {
            try {
                String answer = http.send(
                                HttpRequest.newBuilder(monitors.get(name))
                                        .timeout(Duration.ofSeconds(5))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
                Matcher found = LEADER.matcher(answer);
                return found.find() ? Optional.of(found.group(1)) : Optional.empty();
            } catch (IOException e) {
                // this server is down
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return Optional.empty();
    }

    /** The stream as its leader sees it. Waits until it has a leader. */
    public StreamInfo stream(String name) {
        AtomicReference<StreamInfo> found = new AtomicReference<>();
        Await.until("the stream has a leader", LIMIT, () -> {
            askForStream(name).ifPresent(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    /** Empty while the stream has no leader that answers. */
    private Optional<StreamInfo> askForStream(String name) {
        try {
            Connection connection = NatsServers.connect(urls());
            try {
                return Optional.of(connection.jetStreamManagement().getStreamInfo(name))
                        .filter(stream -> stream.getClusterInfo().getLeader() != null);
            } finally {
                NatsServers.close(connection);
            }
        } catch (IOException | UncheckedIOException | JetStreamApiException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    /** Waits until the servers and the stream have leaders, and all replicas of the stream are current. */
    public void awaitComplete(String stream) {
        Await.until("the cluster is complete", LIMIT, () -> leader().isPresent() && isCurrent(stream));
    }

    private boolean isCurrent(String stream) {
        List<Replica> replicas = askForStream(stream)
                .map(found -> found.getClusterInfo().getReplicas())
                .orElse(List.of());
        return replicas.size() == servers.size() - 1 && replicas.stream().allMatch(Replica::isCurrent);
    }

    @Override
    public void close() {
        servers.values().forEach(NatsServer::close);
    }
}
