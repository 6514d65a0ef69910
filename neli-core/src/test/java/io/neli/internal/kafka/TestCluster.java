package io.neli.internal.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

import static io.neli.TestMember.eventually;

/** Several brokers and a controller in this JVM. Brokers are numbered from 0 and do not create topics by themselves. */
public final class TestCluster extends Brokers {

    private final KafkaClusterTestKit kit;

    private TestCluster(KafkaClusterTestKit kit) {
        super(kit.bootstrapServers());
        this.kit = kit;
    }

    @SuppressWarnings("try") // its close() may be interrupted
    public static TestCluster start(int brokers) throws Exception {
        TestKitNodes nodes = new TestKitNodes.Builder()
                .setNumControllerNodes(1)
                .setNumBrokerNodes(brokers)
                .build();
        KafkaClusterTestKit kit = new KafkaClusterTestKit.Builder(nodes)
                .setConfigProp("offsets.topic.replication.factor", "1")
                .setConfigProp("group.initial.rebalance.delay.ms", "0")
                .setConfigProp("auto.create.topics.enable", "false")
                .build();
        kit.format();
        kit.startup();
        kit.waitForReadyBrokers();
        return new TestCluster(kit);
    }

    /** Shuts the broker down gracefully. */
    public void shutdown(int broker) {
        kit.brokers().get(broker).shutdown();
    }

    /** Starts a broker if it was shut down. */
    public void restore(int broker) {
        if (kit.brokers().get(broker).isShutdown()) {
            kit.brokers().get(broker).startup();
            eventually().until(() -> answer(admin().describeCluster().nodes()).stream()
                    .anyMatch(node -> node.id() == broker));
        }
    }

    /** Creates a topic on these brokers, by partition, with the settings that a quorum needs. */
    void create(String topic, List<List<Integer>> replicas) {
        create(topic, replicas, KafkaSettings.QUORUM_TOPIC);
    }

    void create(String topic, List<List<Integer>> replicas, Map<String, String> config) {
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        replicas.forEach(each -> assignment.put(assignment.size(), each));
        eventually().ignoreExceptions().until(() -> {
            answer(admin().createTopics(List.of(new NewTopic(topic, assignment).configs(config)))
                    .all());
            return true;
        });
        awaitTopic(topic);
    }

    /** Waits until all brokers know the topic, because a client may ask any of them. */
    void awaitTopic(String topic) {
        eventually().until(() -> kit.brokers().values().stream()
                .allMatch(broker -> broker.metadataCache().contains(topic)));
    }

    Set<String> topics() {
        return answer(admin().listTopics().names());
    }

    /** The brokers of each partition. */
    public List<List<Integer>> replicas(String topic) {
        return describe(topic).partitions().stream()
                .map(TopicPartitionInfo::replicas)
                .map(replicas -> replicas.stream().map(Node::id).toList())
                .toList();
    }

    @Override
    public void close() {
        super.close();
        try {
            kit.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
