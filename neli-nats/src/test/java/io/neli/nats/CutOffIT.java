package io.neli.nats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Options;
import io.nats.client.api.ConsumerInfo;
import io.neli.Neli;
import io.neli.TestServers;
import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** One server is cut off from the other servers, but its members still reach it. */
@Needs(Program.NATS_SERVER)
@Tag("proof")
class CutOffIT {

    /** Three leases are longer than this test waits for anything. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final String group = TestServers.unusedName("cut-off");
    private final Network network = new Network();
    private final Map<String, NatsServer> servers = new LinkedHashMap<>();

    /** The routes of each server, in both directions. */
    private final Map<String, List<Link>> routes = new LinkedHashMap<>();

    private void startServers() {
        List<String> names = List.of("a", "b", "c");
        Map<String, Integer> ports = names.stream().collect(Collectors.toMap(name -> name, name -> Network.freePort()));
        names.forEach(name -> routes.put(name, new ArrayList<>()));
        Map<String, List<String>> urls =
                names.stream().collect(Collectors.toMap(name -> name, name -> new ArrayList<>()));
        for (String from : names) {
            for (String to : names) {
                if (!from.equals(to)) {
                    Link link = network.link(ports.get(to));
                    routes.get(from).add(link);
                    routes.get(to).add(link);
                    urls.get(from).add("nats://" + link.address());
                }
            }
        }
        for (String name : names) {
            servers.put(
                    name,
                    NatsServer.start(
                            "--server_name",
                            name,
                            "--cluster_name",
                            "cluster",
                            "--cluster",
                            "nats://127.0.0.1:" + ports.get(name),
                            "--cluster_advertise",
                            "127.0.0.1:1", // no routes except the links
                            "--no_advertise",
                            "--routes",
                            String.join(",", urls.get(name))));
        }
    }

    @AfterEach
    void end() {
        servers.values().forEach(NatsServer::close);
        network.close();
    }

    /** Starts a member that connects to the first server first. */
    private Neli startMember() {
        return NatsNeli.builder(Options.builder()
                        .servers(servers.values().stream().map(NatsServer::url).toArray(String[]::new))
                        .noRandomize()
                        .build())
                .groupId(group)
                .leaseDuration(LEASE)
                .start();
    }

    private static boolean canBeUsed(JetStreamManagement streams) throws Exception {
        streams.getAccountStatistics();
        return true;
    }

    /**
     * The server that sends messages to the member. If it were not the member's own, it would fall silent, which is
     * noticed anyway.
     */
    private String sender(JetStreamManagement streams) {
        return eventually()
                .ignoreExceptions()
                .until(
                        () -> streams.getConsumers(group).stream()
                                .max(Comparator.comparing(ConsumerInfo::getCreationTime))
                                .orElseThrow()
                                .getClusterInfo()
                                .getLeader(),
                        Objects::nonNull);
    }

    private long last(Connection connection) throws Exception {
        return connection
                .jetStreamManagement()
                .getStreamInfo(group)
                .getStreamState()
                .getLastSequence();
    }

    @Test
    void a_leader_leaves_it_for_another_one_long_before_it_has_waited_three_leases() throws Exception {
        startServers();
        Connection inside = NatsServers.connect(servers.get("b").url());
        try {
            JetStreamManagement streams = inside.jetStreamManagement();
            eventually().ignoreExceptions().until(() -> canBeUsed(streams));
            Neli leader = startMember();
            try {
                assertThat(leader.awaitLeadership(PATIENCE)).isPresent();
                while (!sender(streams).equals("a")) {
                    leader.close();
                    leader = startMember();
                    assertThat(leader.awaitLeadership(PATIENCE)).isPresent();
                }

                routes.get("a").forEach(Link::refuse);

                long cut = eventually().ignoreExceptions().until(() -> last(inside), Objects::nonNull);
                eventually().ignoreExceptions().until(() -> last(inside) > cut + 3);
                assertThat(leader.isLeader()).isTrue();
            } finally {
                leader.close();
            }
        } finally {
            NatsServers.close(inside);
        }
    }
}
