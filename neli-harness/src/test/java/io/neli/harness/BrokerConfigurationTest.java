package io.neli.harness;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import io.neli.harness.BrokerConfiguration.Listener;
import io.neli.harness.BrokerConfiguration.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class BrokerConfigurationTest {

    @TempDir
    private Path directory;

    @Test
    void an_only_broker_is_a_cluster_without_replicas() throws IOException {
        assertThat(written(node(1), List.of(node(1))))
                .contains(
                        entry("node.id", "1"),
                        entry("controller.quorum.voters", "1@127.0.0.1:101"),
                        entry("listeners", "DIRECT://127.0.0.1:201,ALICE://127.0.0.1:301,CONTROLLER://127.0.0.1:101"),
                        entry("advertised.listeners", "DIRECT://127.0.0.1:201,ALICE://127.0.0.1:401"),
                        entry("offsets.topic.replication.factor", "1"),
                        entry("transaction.state.log.min.isr", "1"));
    }

    @Test
    void each_of_three_brokers_knows_the_others_and_replicates_to_them() throws IOException {
        assertThat(written(node(2), List.of(node(1), node(2), node(3))))
                .contains(
                        entry("node.id", "2"),
                        entry("controller.quorum.voters", "1@127.0.0.1:101,2@127.0.0.1:102,3@127.0.0.1:103"),
                        entry("inter.broker.listener.name", "DIRECT"),
                        entry("listeners", "DIRECT://127.0.0.1:202,ALICE://127.0.0.1:302,CONTROLLER://127.0.0.1:102"),
                        entry("default.replication.factor", "3"),
                        entry("offsets.topic.replication.factor", "3"),
                        entry("transaction.state.log.replication.factor", "3"),
                        entry("transaction.state.log.min.isr", "2"));
    }

    private static Node node(int id) {
        List<Listener> listeners =
                List.of(new Listener("DIRECT", 200 + id, 200 + id), new Listener("ALICE", 300 + id, 400 + id));
        return new Node(id, listeners, 100 + id);
    }

    private Properties written(Node broker, List<Node> cluster) throws IOException {
        Path file = BrokerConfiguration.write(directory, BrokerConfiguration.of(directory, broker, cluster));
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        }
        return settings;
    }
}
